/**
 * Which rules a user has: roles and bindings, kept as they are stored and indexed by subject, so that a decision looks
 * only at bindings that concern the user. Fed by storage events, which it takes in when it is next asked: whoever may do
 * everything never waits for it. The authorizer, the escalation check and SelfSubjectRulesReview read it.
 */
import type { JsonObject } from "@kubewright/core/meta";
import type { User } from "../../request/user.ts";
import { type ApiObject, decodeObject } from "../../resource/object.ts";
import type { Storage, StoredEntry, StoredEvent } from "../../storage/storage.ts";
import { parseServiceAccountName } from "../service-account.ts";
import type { PolicyRule } from "./policy-rule.ts";

/** The role that a binding grants. */
export interface RoleRef extends JsonObject {
  readonly kind: string;
  readonly name: string;
  readonly apiGroup?: string;
}

/** A rule, with the binding that grants it in words; or why a granted role gives none. */
export type Grant =
  | { readonly rule: PolicyRule; readonly source: string }
  | { readonly rule?: never; readonly missing: string };

interface Subject extends JsonObject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

interface Binding {
  /** "" for a ClusterRoleBinding. */
  readonly namespace: string;
  readonly name: string;
  readonly roleRef: RoleRef;
}

interface SubjectBinding extends Binding {
  readonly subject: Subject;
}

const GROUP = "rbac.authorization.k8s.io";
/** Resources whose objects are kept. */
const ROLES = [`roles.${GROUP}`, `clusterroles.${GROUP}`];
const BINDINGS = [`rolebindings.${GROUP}`, `clusterrolebindings.${GROUP}`];

/** Roles and bindings of one storage. */
export class RuleIndex {
  /** Rules by "namespace/name" of roles and "name" of cluster roles: the keys never meet. */
  readonly #rules = new Map<string, readonly PolicyRule[]>();
  /** Bindings by key, to find what a change takes away. */
  readonly #bindings = new Map<string, readonly string[]>();
  /** Bindings by namespace and subject, then by name. */
  readonly #bySubject = new Map<string, Map<string, SubjectBinding>>();
  /** Changes since it was last asked. */
  #news: (() => void)[] = [];
  readonly #stops: (() => void)[] = [];

  constructor(storage: Storage) {
    for (const resource of ROLES) this.#follow(storage, resource, (entry) => this.#setRole(entry));
    for (const resource of BINDINGS) this.#follow(storage, resource, (entry) => this.#setBinding(entry));
  }

  /** The user's grants in a namespace; "" for those that hold everywhere. */
  *grantsOf(user: User, namespace: string): Generator<Grant> {
    this.#takeNews();
    yield* this.#grantsIn(user, "");
    if (namespace !== "") yield* this.#grantsIn(user, namespace);
  }

  /** All rules of the user in a namespace. */
  rulesOf(user: User, namespace: string): readonly PolicyRule[] {
    return [...this.grantsOf(user, namespace)].flatMap(({ rule }) => (rule === undefined ? [] : [rule]));
  }

  /** The rules of a role; undefined when it is not there. */
  rulesOfRole({ kind, name }: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    this.#takeNews();
    return this.#rules.get(kind === "Role" ? `${namespace}/${name}` : name);
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  *#grantsIn(user: User, namespace: string): Generator<Grant> {
    const seen = new Set<string>();
    for (const subject of subjectsOf(user)) {
      for (const [name, binding] of this.#bySubject.get(`${namespace} ${subject}`) ?? []) {
        if (seen.has(name)) continue;
        seen.add(name);
        yield* this.#grantsOfBinding(binding);
      }
    }
  }

  *#grantsOfBinding(binding: SubjectBinding): Generator<Grant> {
    const { roleRef, namespace } = binding;
    const rules = this.rulesOfRole(roleRef, namespace);
    if (rules === undefined) yield { missing: missingRole(roleRef) };
    for (const rule of rules ?? []) yield { rule, source: describeBinding(binding) };
  }

  #follow(storage: Storage, resource: string, set: (entry: StoredEntry) => void): void {
    const remove = resource.includes("binding")
      ? (key: string) => this.#removeBinding(key)
      : (key: string) => this.#rules.delete(key);
    const apply = ({ type, entry }: StoredEvent): void => void (type === "deleted" ? remove(entry.key) : set(entry));
    const watch = storage.watch(resource, storage.revision, (event) => this.#news.push(() => apply(event)));
    for (const entry of storage.list(resource, {})?.entries ?? []) this.#news.push(() => set(entry));
    if (watch !== undefined) this.#stops.push(() => watch.cancel());
  }

  #takeNews(): void {
    if (this.#news.length === 0) return;
    const news = this.#news;
    this.#news = [];
    for (const take of news) take();
  }

  #setRole(entry: StoredEntry): void {
    const { rules } = decodeObject(entry.text) as ApiObject & { readonly rules?: readonly PolicyRule[] | null };
    this.#rules.set(entry.key, rules ?? []);
  }

  #setBinding(entry: StoredEntry): void {
    this.#removeBinding(entry.key);
    const { metadata, roleRef, subjects } = decodeObject(entry.text) as ApiObject & {
      readonly roleRef: RoleRef;
      readonly subjects?: readonly Subject[] | null;
    };
    const { name = "", namespace = "" } = metadata;
    const keys = (subjects ?? []).flatMap((subject) => {
      const key = subjectKey(subject, namespace);
      if (key === undefined) return [];
      const place = `${namespace} ${key}`;
      const bindings = this.#bySubject.get(place) ?? new Map<string, SubjectBinding>();
      this.#bySubject.set(place, bindings);
      if (!bindings.has(name)) bindings.set(name, { namespace, name, roleRef, subject });
      return [place];
    });
    this.#bindings.set(entry.key, keys);
  }

  #removeBinding(key: string): void {
    const name = key.slice(key.indexOf("/") + 1);
    for (const place of this.#bindings.get(key) ?? []) {
      const bindings = this.#bySubject.get(place);
      bindings?.delete(name);
      if (bindings?.size === 0) this.#bySubject.delete(place);
    }
    this.#bindings.delete(key);
  }
}

/** The keys under which bindings concern a user. */
function subjectsOf({ name, groups }: User): readonly string[] {
  const account = parseServiceAccountName(name);
  return [
    `User ${name}`,
    ...(account === undefined ? [] : [`ServiceAccount ${account.namespace}/${account.name}`]),
    ...groups.map((group) => `Group ${group}`),
  ];
}

function subjectKey(subject: Subject, bindingNamespace: string): string | undefined {
  if (subject.kind !== "ServiceAccount") return `${subject.kind} ${subject.name}`;
  const namespace = subjectNamespace(subject, bindingNamespace);
  return namespace === "" ? undefined : `ServiceAccount ${namespace}/${subject.name}`;
}

/** Service accounts without a namespace are those of the binding's. */
function subjectNamespace({ namespace = "" }: Subject, bindingNamespace: string): string {
  return namespace === "" ? bindingNamespace : namespace;
}

function describeBinding({ namespace, name, roleRef, subject }: SubjectBinding): string {
  const binding =
    namespace === "" ? `ClusterRoleBinding ${quote(name)}` : `RoleBinding ${quote(`${name}/${namespace}`)}`;
  const who =
    subject.kind === "ServiceAccount" ? `${subject.name}/${subjectNamespace(subject, namespace)}` : subject.name;
  return `${binding} of ${roleRef.kind} ${quote(roleRef.name)} to ${subject.kind} ${quote(who)}`;
}

function missingRole({ kind, name }: RoleRef): string {
  if (kind !== "Role" && kind !== "ClusterRole") return `unsupported role reference kind: ${quote(kind)}`;
  return `${kind.toLowerCase()}.${GROUP} ${quote(name)} not found`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
