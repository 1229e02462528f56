/** The infrastructure controllers of a cluster: all that run for every kind of workload, in one list for cluster.ts. */
import type { AnyController } from "@kubewright/runtime";
import type { ObjectFeed } from "./feed/object-feed.ts";
import { createNamespaceController } from "./namespace/controller.ts";

/** What they are made of. */
export interface InfrastructureOptions {
  readonly feed: ObjectFeed;
}

/** All of them. */
export function infrastructureControllers({ feed }: InfrastructureOptions): readonly AnyController[] {
  return [createNamespaceController(feed)];
}
