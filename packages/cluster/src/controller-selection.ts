/**
 * Which built-in controllers run, said as kube-controller-manager says it: "*" for those that are on by default, a name to
 * turn one on, a name behind "-" to turn one off. An empty list leaves the API server alone.
 */

/** Says whether a controller runs, by its name. */
export type ControllerSelection = (name: string) => boolean;

/** What turns a controller on and off: its name, up to the "/" of those that work together. */
export function switchOf(name: string): string {
  return name.split("/")[0] ?? name;
}

/** Reads a selection. Names that no controller has are a mistake that would otherwise go unnoticed. */
export function selectControllers(
  selection: readonly string[],
  controllers: readonly string[],
  offByDefault: readonly string[] = [],
): ControllerSelection {
  const known = [...new Set(controllers.map(switchOf))];
  for (const word of selection) {
    if (word !== "*" && !known.includes(word.replace(/^-/, ""))) {
      throw new TypeError(`there is no controller ${JSON.stringify(word)}; known are ${known.join(", ")}`);
    }
  }
  return (controller) => isSelected(controller, selection, offByDefault);
}

/** Whether a selection turns one controller on. */
export function isSelected(
  controller: string,
  selection: readonly string[],
  offByDefault: readonly string[] = [],
): boolean {
  const name = switchOf(controller);
  if (selection.includes(`-${name}`)) return false;
  return selection.includes(name) || (selection.includes("*") && !offByDefault.includes(name));
}
