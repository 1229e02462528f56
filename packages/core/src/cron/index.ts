/** `@kubewright/core/cron`, and `kubewright/cron` for operators: schedules in Kubernetes' dialect of cron. Needs croner. */
export { type CronSchedule, parseCron } from "./cron-schedule.ts";
export { type ScheduledJob, type Tick, type Timetable, type TimetableOptions, timetable } from "./timetable.ts";
