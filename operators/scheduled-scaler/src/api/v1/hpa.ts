/** The Hpa resource: sizes that something is scaled to at given times. */
import { conditions, cronSchedule, defineResource, listMap, type ObjectOf, time } from "kubewright";
import { z } from "zod";

const Job = z.object({
  name: z.string().min(1).max(63).describe("Names the job in the status and in events."),
  schedule: cronSchedule().describe("When: five fields of cron."),
  size: z.int32().min(0).describe("How many replicas there shall be from then on."),
  timeZone: z.string().min(1).optional().describe("The zone of the schedule; UTC unless given."),
  suspend: z.boolean().optional().describe("Leaves the job out."),
});

const JobStatus = z.object({
  name: z.string(),
  lastScheduleTime: time().optional(),
  lastResult: z.string().optional(),
  nextScheduleTime: time().optional(),
});

/** Hpa, autoscal.aiops.org/v1. */
export const Hpa = defineResource({
  group: "autoscal.aiops.org",
  version: "v1",
  kind: "Hpa",
  plural: "hpas",
  description: "Scales a target to given sizes at given times.",
  spec: z.object({
    scaleTarget: z
      .object({
        apiVersion: z.string().min(1).default("apps/v1"),
        kind: z.string().min(1).default("Deployment"),
        name: z.string().min(1),
      })
      .describe("What is scaled: anything with a scale subresource, in the same namespace."),
    jobs: listMap(Job, "name").min(1).max(64).describe("When it is scaled to which size."),
    startingDeadlineSeconds: z.int().min(0).optional().describe("A tick that is missed by more is left out."),
  }),
  status: z.object({
    jobs: listMap(JobStatus, "name").optional(),
    observedGeneration: z.int().optional(),
    conditions: conditions(),
  }),
  columns: [
    { name: "Target", type: "string", jsonPath: ".spec.scaleTarget.name" },
    { name: "Schedule", type: "string", jsonPath: ".spec.jobs[*].schedule" },
    { name: "Target Size", type: "string", jsonPath: ".spec.jobs[*].size" },
  ],
});
export type Hpa = ObjectOf<typeof Hpa>;
