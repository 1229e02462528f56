/**
 * The plan for an object's children: from what is wanted and what is there to what has to be done. Pure, so that it also answers
 * "what would change". converge.ts carries it out.
 */
import {
  apiVersionOf,
  formatGroupResource,
  getControllerOf,
  type KubernetesObject,
  type OwnerReference,
  parseApiVersion,
} from "@kubewright/core/meta";
import { type AnyDefinition, definitionKey } from "../client/definitions.ts";
import { isAsWanted } from "./as-wanted.ts";
import {
  asCreated,
  type ChildManifest,
  marked,
  type Ownership,
  placeOf,
  readMark,
  toManifest,
} from "./child-manifest.ts";
import { covers, coversLists } from "./covers.ts";

/** One thing to do about one child. */
export type ChildAction =
  /** Not there: create it as the manifest says, without taking anything from anybody. */
  | { readonly kind: "create"; readonly manifest: ChildManifest }
  /** There, ours, and different: apply it. */
  | {
      readonly kind: "apply";
      readonly manifest: ChildManifest;
      readonly observed: KubernetesObject;
      /** This very manifest was applied before, and somebody took entries out of its lists. */
      readonly restoresLists: boolean;
      /** It was created and not yet applied. */
      readonly isCreated: boolean;
    }
  /** Ours, and no longer wanted. */
  | { readonly kind: "delete"; readonly definition: AnyDefinition; readonly observed: KubernetesObject }
  /** On its way out: its name is free when it is gone. */
  | { readonly kind: "wait"; readonly manifest: ChildManifest; readonly reason: string }
  /** There, and somebody else's. */
  | { readonly kind: "refuse"; readonly manifest: ChildManifest; readonly observed: KubernetesObject };

/** What a plan is made from. */
export interface PlanInput extends Ownership {
  /** Kinds that children may have. */
  readonly owns: readonly AnyDefinition[];
  readonly wanted: readonly KubernetesObject[];
  /** The object of that kind and name, whoever owns it. */
  find(definition: AnyDefinition, object: KubernetesObject): KubernetesObject | undefined;
  /** The objects of that kind that the owner owns. */
  owned(definition: AnyDefinition): readonly KubernetesObject[];
  /** True when the server is known to make `observed` of this manifest, although they differ. */
  settled(manifest: ChildManifest, observed: KubernetesObject): boolean;
}

/** What has to be done, wanted children first and in their order. */
export function planChildren(input: PlanInput): readonly ChildAction[] {
  const actions: ChildAction[] = [];
  const names = new Set<string>();
  for (const wanted of input.wanted) {
    const definition = definitionOf(wanted, input);
    const placed = { metadata: placeOf(wanted, definition, input.owner) };
    const name = childName(definition, placed);
    if (names.has(name)) throw new TypeError(`children has ${name} twice; give each child a name of its own`);
    names.add(name);
    // What is wrong about another namespace than the owner's is told by its manifest.
    const isHome = placed.metadata.namespace === input.owner.metadata?.namespace;
    const there = isHome ? input.find(definition, placed) : undefined;
    if (there !== undefined && isAsWanted(there, wanted, input)) continue;
    const manifest = toManifest(wanted, definition, input);
    const action = planChild(manifest, isHome ? there : input.find(definition, placed), input);
    if (action !== undefined) actions.push(action);
  }
  planUnwanted(input, names, actions);
  return actions;
}

/** What has to be done about one wanted child, of which `observed` is there; undefined when it is as it should be. */
export function planChild(
  manifest: ChildManifest,
  observed: KubernetesObject | undefined,
  input: Pick<PlanInput, "owner" | "ownerDefinition" | "settled">,
): ChildAction | undefined {
  if (observed === undefined) return { kind: "create", manifest: asCreated(manifest) };
  const controller = getControllerOf(observed);
  if (controller?.uid !== input.owner.metadata?.uid) {
    const ours = controller?.name === input.owner.metadata?.name && isOfKind(controller, input.ownerDefinition);
    const reason = "it belongs to a former object of the same name";
    return ours ? { kind: "wait", manifest, reason } : { kind: "refuse", manifest, observed };
  }
  if (observed.metadata?.deletionTimestamp !== undefined)
    return { kind: "wait", manifest, reason: "it is being deleted" };
  const { mark, isCreated = false } = readMark(observed) ?? {};
  const made = isCreated ? asCreated(manifest) : manifest;
  const same = mark === made.mark;
  if (same && (covers(observed, made.object) || input.settled(made, observed))) return undefined;
  const restoresLists = same && !coversLists(observed, made.object);
  return { kind: "apply", manifest: marked(manifest), observed, isCreated, restoresLists };
}

function isOfKind(reference: OwnerReference | undefined, { group, kind }: AnyDefinition): boolean {
  return reference?.kind === kind && parseApiVersion(reference.apiVersion).group === group;
}

/** Adds the children that this controller applied and does not want any more. What others made for the owner stays. */
function planUnwanted(input: PlanInput, names: ReadonlySet<string>, actions: ChildAction[]): void {
  for (const definition of input.owns) {
    for (const observed of input.owned(definition)) {
      if (names.has(childName(definition, observed)) || observed.metadata?.deletionTimestamp !== undefined) continue;
      const isOurs = readMark(observed)?.mark.startsWith(`${input.controller}/`) === true;
      if (isOurs) actions.push({ kind: "delete", definition, observed });
    }
  }
}

function definitionOf(wanted: KubernetesObject, input: PlanInput): AnyDefinition {
  const found = input.owns.find((owned) => owned.kind === wanted.kind && apiVersionOf(owned) === wanted.apiVersion);
  if (found !== undefined) return found;
  throw new TypeError(
    `children has a ${wanted.apiVersion ?? "?"} ${wanted.kind ?? "?"}, which is not among owns; add its kind to owns`,
  );
}

/** A child as messages and maps name it. */
export function childName(definition: AnyDefinition, object: KubernetesObject): string {
  const { namespace, name } = object.metadata ?? {};
  return `${formatGroupResource(definition)} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}

/** Identifies a child across kinds. */
export function childKey(definition: AnyDefinition, object: KubernetesObject): string {
  return `${definitionKey(definition)} ${object.metadata?.namespace ?? ""}/${object.metadata?.name}`;
}
