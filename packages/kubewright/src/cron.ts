/** `kubewright/cron`: cron schedules for operators that keep some. Apart from the facade, so that only they need croner. */
export {
  type CronSchedule,
  parseCron,
  type ScheduledJob,
  type Tick,
  type Timetable,
  type TimetableOptions,
  timetable,
} from "@kubewright/core/cron";
