/** The flags that name a kind, checked: shared by `create api` and `delete api`. */
import { usageError } from "../command/command-error.ts";
import { type CommandInput, type FlagSpec, switchFlag, textFlag } from "../command/command-spec.ts";
import { groupProblem, kindProblem, labelProblem, versionProblem } from "../project/names.ts";
import type { ApiNames, ApiParts } from "./api-files.ts";

/** Flags that name a kind and the parts of it. */
export const API_FLAGS: readonly FlagSpec[] = [
  { flags: "--group <group>", description: "the group, without the domain", required: true },
  { flags: "--version <version>", description: "v1alpha1, v1beta1, v1 …", required: true },
  { flags: "--kind <kind>", description: "the kind, in CamelCase", required: true },
  { flags: "--plural <plural>", description: "its plural, where English does not give it" },
  { flags: "--no-namespaced", description: "objects are in no namespace" },
  { flags: "--no-resource", description: "without the definition and the sample" },
  { flags: "--no-controller", description: "without the controller and its test" },
];

/** The names and parts that the flags say. */
export function apiInput(input: CommandInput, domain: string): { readonly names: ApiNames; readonly parts: ApiParts } {
  const text = (name: string): string => textFlag(input, name) ?? "";
  const plural = textFlag(input, "plural");
  const names = {
    group: text("group"),
    version: text("version"),
    kind: text("kind"),
    plural,
    domain,
    namespaced: switchFlag(input, "namespaced"),
  };
  const problem =
    groupProblem(names.group, domain) ??
    versionProblem(names.version) ??
    kindProblem(names.kind) ??
    (plural === undefined ? undefined : labelProblem("the plural", plural));
  if (problem !== undefined) throw usageError(problem);
  const parts = { resource: switchFlag(input, "resource"), controller: switchFlag(input, "controller") };
  if (!parts.resource && !parts.controller) throw usageError("--no-resource and --no-controller leave nothing to do");
  if (parts.controller && names.kind === "ConfigMap") {
    throw usageError(
      'the kind "ConfigMap" has the name of what the example controller keeps',
      "choose another name, or write the controller yourself: --no-controller",
    );
  }
  return { names, parts };
}
