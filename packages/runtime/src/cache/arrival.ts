/** What reflectors bring to the store of a kind, through its intake. */
import type { KubernetesObject, ObjectIdentity } from "@kubewright/core/meta";

/** An object that came, decoded when it is first read where it came as text. */
export interface Arrival<Kind extends KubernetesObject> {
  readonly object: Kind;
  /** Its JSON without managedFields, which JSON.parse reads without loss. */
  readonly text?: string;
  /** What tells it apart, where that is known before it is decoded. */
  readonly identity?: ObjectIdentity;
}

/** What tells an object apart; decodes nothing that need not be. */
export function identityOf(arrival: Arrival<KubernetesObject>): ObjectIdentity {
  return arrival.identity ?? arrival.object.metadata ?? {};
}
