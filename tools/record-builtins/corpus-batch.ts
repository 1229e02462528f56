/** Jobs and CronJobs. */
import { at, creates, type Scenario, scenario } from "./scenario.ts";

const jobs = at("/apis/batch/v1/namespaces/default/jobs");
const cronJobs = at("/apis/batch/v1/namespaces/default/cronjobs");
const podSpec = { containers: [{ name: "c", image: "busybox" }], restartPolicy: "Never" };
const job = (name: string, spec: object = {}): object => ({
  metadata: { name },
  spec: { template: { spec: podSpec }, ...spec },
});
const cronJob = (name: string, spec: object = {}): object => ({
  metadata: { name },
  spec: { schedule: "*/5 * * * *", jobTemplate: { spec: { template: { spec: podSpec } } }, ...spec },
});

/** Scenarios about Jobs and CronJobs. */
export const batchScenarios: readonly Scenario[] = [
  ...creates(jobs, {
    "a minimal job": job("minimal"),
    "a parallel job": job("parallel", { parallelism: 3 }),
    "an indexed job": job("indexed", { completionMode: "Indexed", completions: 3, backoffLimitPerIndex: 1 }),
    "a job with labels": job("labelled", { template: { metadata: { labels: { a: "b" } }, spec: podSpec } }),
    "a job that restarts": job("x", { template: { spec: { ...podSpec, restartPolicy: "Always" } } }),
    "a job without restart policy": job("x", { template: { spec: { containers: podSpec.containers } } }),
    "a job without template": { metadata: { name: "x" }, spec: {} },
    "an indexed job without completions": job("x", { completionMode: "Indexed", parallelism: 1 }),
    "indexes in a plain job": job("x", { backoffLimitPerIndex: 1 }),
    "negative numbers": job("x", { parallelism: -1, completions: -1, backoffLimit: -1, ttlSecondsAfterFinished: -1 }),
    "a selector of one's own": job("x", { selector: { matchLabels: { a: "b" } } }),
    "a manual selector": job("manual", {
      manualSelector: true,
      selector: { matchLabels: { a: "b" } },
      template: { metadata: { labels: { a: "b" } }, spec: podSpec },
    }),
    "a bad completion mode": job("x", { completionMode: "Sometimes" }),
    "a failure policy": job("policy", {
      podFailurePolicy: { rules: [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget" }] }] },
    }),
  }),
  scenario(
    "what changes in a job and what does not",
    jobs.create(job("fixed")),
    jobs.merge("fixed", { spec: { parallelism: 2, suspend: true } }),
    jobs.merge("fixed", { spec: { completions: 2 } }),
    jobs.merge("fixed", { spec: { template: { spec: { terminationGracePeriodSeconds: 1 } } } }),
    jobs.merge("fixed", { spec: { completionMode: "Indexed" } }),
    jobs.remove("fixed"),
  ),
  scenario(
    "a job is deleted in the background",
    jobs.create(job("deleted")),
    jobs.remove("deleted", { propagationPolicy: "Background" }),
  ),
  ...creates(cronJobs, {
    "a minimal cron job": cronJob("minimal"),
    "a cron job of a zone": cronJob("zoned", { timeZone: "Europe/Vienna", schedule: "@hourly" }),
    "a cron job by name": cronJob("named", { schedule: "0 9-17/2 * jan,feb mon-fri" }),
    "a cron job without schedule": cronJob("x", { schedule: "" }),
    "a schedule of three fields": cronJob("x", { schedule: "* * *" }),
    "a schedule out of range": cronJob("x", { schedule: "61 * * * *" }),
    "a schedule of words": cronJob("x", { schedule: "a b c d e" }),
    "a schedule with a zone": cronJob("x", { schedule: "TZ=UTC * * * * *" }),
    "an unknown zone": cronJob("x", { timeZone: "Mars/Base" }),
    "an unknown policy": cronJob("x", { concurrencyPolicy: "Queue" }),
    "a long name": cronJob("a".repeat(53)),
    "a template that restarts": cronJob("x", {
      jobTemplate: { spec: { template: { spec: { ...podSpec, restartPolicy: "Always" } } } },
    }),
    "negative limits": cronJob("x", {
      successfulJobsHistoryLimit: -1,
      failedJobsHistoryLimit: -1,
      startingDeadlineSeconds: -1,
    }),
  }),
  scenario(
    "generations of a cron job",
    cronJobs.create(cronJob("generations")),
    cronJobs.merge("generations", { spec: { suspend: true } }),
    cronJobs.merge("generations", { metadata: { labels: { a: "b" } } }),
    cronJobs.remove("generations", { propagationPolicy: "Background" }),
  ),
];
