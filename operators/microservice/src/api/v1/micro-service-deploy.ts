/** The MicroServiceDeploy resource: one version of a microservice, with everything it needs around it. */
import { conditions, containerResources, defineResource, type ObjectOf, time } from "kubewright";
import { z } from "zod";

/** MicroServiceDeploy, custom.ops/v1. */
export const MicroServiceDeploy = defineResource({
  group: "custom.ops",
  version: "v1",
  kind: "MicroServiceDeploy",
  shortNames: ["msd"],
  description: "One version of a microservice: pods, configuration, service, quota, autoscaling and ingress.",
  spec: z.object({
    msName: z
      .string()
      .regex(/^[a-z]([-a-z0-9]*[a-z0-9])?$/)
      .max(40)
      .describe("The name of the microservice."),
    fullName: z.string().describe("The name that people read."),
    version: z
      .string()
      .regex(/^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/)
      .max(20)
      .describe("Several versions may run side by side."),
    path: z
      .string()
      .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
      .describe("What the host name of the ingress begins with."),
    image: z.string().min(1),
    replicas: z.int32().min(0).default(1).describe("How many pods run, and how few while autoscaling."),
    autoscaling: z.boolean().default(false).describe("Up to three times the replicas as the load demands."),
    needAuth: z.boolean().default(false).describe("The ingress asks for a user and a password."),
    config: z.string().default("").describe("Lines of key=value; a change replaces the pods."),
    creationTimestamp: time().optional().describe("When the version was made."),
    resourceRequirements: containerResources().describe("What each pod may use."),
    idle: z.boolean().default(false).describe("Runs nothing until it is false again."),
  }),
  status: z.object({
    observedGeneration: z.int().optional(),
    replicas: z.int32().optional(),
    host: z.string().optional(),
    conditions: conditions(),
  }),
  columns: [
    { name: "Version", type: "string", jsonPath: ".spec.version" },
    { name: "Replicas", type: "integer", jsonPath: ".status.replicas" },
    { name: "Idle", type: "boolean", jsonPath: ".spec.idle" },
    { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
});
export type MicroServiceDeploy = ObjectOf<typeof MicroServiceDeploy>;
