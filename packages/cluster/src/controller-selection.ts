/**
 * Which built-in controllers run, said as kube-controller-manager says it: "*" for those that are on by default, a name to
 * turn one on, a name behind "-" to turn one off. An empty list leaves the API server alone.
 */

/** Says whether a controller runs, by its name. */
export type ControllerSelection = (name: string) => boolean;

/** Reads a selection. Names outside of `known` are a mistake that would otherwise go unnoticed. */
export function selectControllers(
  selection: readonly string[],
  known: readonly string[],
  offByDefault: readonly string[] = [],
): ControllerSelection {
  for (const word of selection) {
    if (word !== "*" && !known.includes(word.replace(/^-/, ""))) {
      throw new TypeError(`there is no controller ${JSON.stringify(word)}; known are ${known.join(", ")}`);
    }
  }
  return (name) => {
    if (selection.includes(`-${name}`)) return false;
    return selection.includes(name) || (selection.includes("*") && !offByDefault.includes(name));
  };
}
