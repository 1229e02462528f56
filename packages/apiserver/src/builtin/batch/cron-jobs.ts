/** CronJobs: their schedule and time zone must be ones that can be followed. */
import type { CronJob, CronJobSpec } from "@kubewright/api/batch/v1";
import { type FieldError, fieldInvalid, fieldRequired } from "@kubewright/core/protocol";
import type { KindParticulars } from "../kind-strategy.ts";
import { cronJobNames } from "../names.ts";
import { nameWarnings, templateWarnings } from "../pods/pod-warnings.ts";
import { validateNonNegative } from "../validation/fields.ts";
import { scheduleError } from "./cron-schedule.ts";
import { validateJobSpec } from "./jobs.ts";

/** What is particular to CronJobs. */
export const cronJobParticulars: KindParticulars = {
  warnings: (object, current) => [
    ...nameWarnings(object, current),
    ...templateWarnings("spec", "jobTemplate", "spec", "template", "spec")(object, current),
  ],
  generation: true,
  nameErrors: cronJobNames,
  validate: (object, _current, { subresource }) =>
    subresource === "status" ? [] : validateSpec((object as unknown as CronJob).spec),
};

function validateSpec(spec: CronJobSpec | undefined): FieldError[] {
  const { schedule = "", timeZone, startingDeadlineSeconds, jobTemplate } = spec ?? {};
  return [
    ...(schedule === "" ? [fieldRequired("spec.schedule")] : validateSchedule("spec.schedule", schedule)),
    ...validateNonNegative("spec.startingDeadlineSeconds", startingDeadlineSeconds),
    ...(timeZone === undefined ? [] : validateTimeZone("spec.timeZone", timeZone)),
    ...(jobTemplate?.spec === undefined ? [] : validateJobSpec("spec.jobTemplate.spec", jobTemplate.spec)),
    ...(jobTemplate?.spec?.manualSelector === true
      ? [fieldInvalid("spec.jobTemplate.spec.manualSelector", true, "unsupported value")]
      : []),
    ...validateNonNegative("spec.successfulJobsHistoryLimit", spec?.successfulJobsHistoryLimit),
    ...validateNonNegative("spec.failedJobsHistoryLimit", spec?.failedJobsHistoryLimit),
  ];
}

function validateSchedule(field: string, schedule: string): FieldError[] {
  const error = scheduleError(schedule);
  return [
    ...(error === undefined ? [] : [fieldInvalid(field, schedule, error)]),
    ...(schedule.includes("TZ")
      ? [fieldInvalid(field, schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead")]
      : []),
  ];
}

function validateTimeZone(field: string, timeZone: string): FieldError[] {
  if (timeZone === "") return [fieldInvalid(field, timeZone, "timeZone must be nil or non-empty string")];
  if (timeZone.toLowerCase() === "local") {
    const detail = "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
    return [fieldInvalid(field, timeZone, detail)];
  }
  return isTimeZone(timeZone) ? [] : [fieldInvalid(field, timeZone, `unknown time zone ${timeZone}`)];
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
