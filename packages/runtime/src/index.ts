/** `@kubewright/runtime`: what an operator links: client, caches, queue, controllers, manager. */
export { Cache, type CacheOptions, type KindOptions } from "./cache/cache.ts";
export type { CacheListOptions, CacheReader } from "./cache/cache-reader.ts";
export { type CachedKind, cached } from "./cache/cached-kind.ts";
export type { Indexes } from "./cache/index-table.ts";
export { Informer } from "./cache/informer.ts";
export type { InformerEvent, InformerHealth, InformerOptions, SubscribeOptions } from "./cache/informer-options.ts";
export { formatKey, keyOf, type ObjectKey, parseKey } from "./cache/object-key.ts";
export { compareVersions } from "./cache/resource-version.ts";
export { Store } from "./cache/store.ts";
export type { StoreChange } from "./cache/store-change.ts";
export type {
  ApplyInput,
  Client,
  ClientSettings,
  DeepPartial,
  Impersonation,
  MessageConnection,
  RawRequest,
  SubresourceClient,
} from "./client/client.ts";
export { createClient } from "./client/create-client.ts";
export {
  type AnyDefinition,
  type MetadataObject,
  metadataOnly,
  type UnstructuredObject,
  unstructured,
} from "./client/definitions.ts";
export { createDiscovery, type DiscoveredDefinition, type Discovery } from "./client/discovery.ts";
export type {
  ApplyOptions,
  CallOptions,
  CreateOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  EachOptions,
  GetOptions,
  ListOptions,
  SelectOptions,
  StreamOptions,
  UpdateOptions,
  WatchOptions,
  WriteOptions,
} from "./client/options.ts";
export type { JsonPatchOperation, Patch } from "./client/patch.ts";
export {
  type AttachOptions,
  attach,
  type ExecOptions,
  type ExecResult,
  exec,
  type LogOptions,
  readLogs,
} from "./client/pods.ts";
export type { ClientOptions, Deleted, RequestIntent, Written } from "./client/requester.ts";
export type { SelectorInput } from "./client/selectors.ts";
export type { ObjectName, Target } from "./client/target.ts";
export { isUnreachable, UnreachableError } from "./client/unreachable-error.ts";
export { exists, hasCondition, isGone, type WaitCondition, type WaitOptions, waitFor } from "./client/wait.ts";
export type { ObjectEvent } from "./client/watch.ts";
export { type ConditionText, readyConditions } from "./conditions/ready-conditions.ts";
export { rolloutConditions } from "./conditions/rollout-conditions.ts";
export {
  type ChildKeeper,
  type ChildKeeperOptions,
  createChildKeeper,
  type KeptChild,
} from "./controller/child-keeper.ts";
export type { ChildManifest } from "./controller/child-manifest.ts";
export type { ChildAction } from "./controller/children-plan.ts";
export { contentHash } from "./controller/content-hash.ts";
export { customResourcesOf } from "./controller/custom-resources.ts";
export {
  type AnyController,
  type ChildrenForm,
  type ConditionInput,
  type Controller,
  type ControllerBase,
  type ControllerOptions,
  defineController,
  type ReconcileContext,
  type ReconcileForm,
  type StatusInput,
  type StatusOf,
} from "./controller/define-controller.ts";
export { type DurationInput, toMilliseconds } from "./controller/duration.ts";
export { enqueueObjects, enqueueOwners } from "./controller/enqueue.ts";
export { instanceLabels, labelledInstance } from "./controller/instance-labels.ts";
export type { Observed } from "./controller/observed.ts";
export {
  type After,
  after,
  type BackingOff,
  backoff,
  isTerminal,
  type Outcome,
  TerminalError,
  terminal,
} from "./controller/outcome.ts";
export type { PolicyRule } from "./controller/policy-rule.ts";
export { previewChildren } from "./controller/preview.ts";
export { rbacRules } from "./controller/rbac-rules.ts";
export { RECONCILES_PATH, type ReconcileRecord } from "./controller/reconcile-history.ts";
export { isResourceExists, ResourceExistsError } from "./controller/resource-exists-error.ts";
export { SCALE_PERMISSION, type ScalePorts, type ScaleReference, scaleTo } from "./controller/scale.ts";
export type { Source } from "./controller/source.ts";
export { type Watch, type WatchContext, type WatchSettings, watch } from "./controller/watch.ts";
export { type StatusPorts, writeStatus } from "./controller/write-status.ts";
export type { ElectionTiming } from "./election/election-state.ts";
export { LeaderElection, type LeaderElectionOptions } from "./election/leader-election.ts";
export type { EventApi } from "./events/event-forms.ts";
export { createEventRecorder, type EventRecorderOptions } from "./events/event-recorder.ts";
export {
  type EventDetails,
  type EventInput,
  type EventRecorder,
  eventsAbout,
  type ObjectEvents,
} from "./events/recorder.ts";
export { type Connection, type ConnectionOptions, findConnection } from "./kubeconfig/connection.ts";
export type { RunProgram } from "./kubeconfig/exec-plugin.ts";
export type { OperatorFlags } from "./manager/flags.ts";
export type { Manager } from "./manager/lifecycle.ts";
export { createManager, type LeaderElectionSettings, type ManagerOptions } from "./manager/manager.ts";
export { type OperatorOptions, runOperator } from "./manager/run-operator.ts";
export {
  type Counter,
  type Gauge,
  type Histogram,
  type LabelValues,
  type MetricOptions,
  MetricsRegistry,
  type ReadValues,
} from "./metrics/registry.ts";
export type { Span, Tracer } from "./metrics/tracing.ts";
export { Backoff, type BackoffOptions } from "./queue/backoff.ts";
export { runWorkers, type Workers, type WorkersOptions } from "./queue/run-workers.ts";
export type { Cause, CauseToTell, QueueItem } from "./queue/schedule.ts";
export type { RateLimit } from "./queue/token-bucket.ts";
export { type AddOptions, LOW_PRIORITY, WorkQueue, type WorkQueueOptions } from "./queue/work-queue.ts";
export {
  createHttpTransport,
  type HttpTransport,
  type HttpTransportOptions,
} from "./transport/http-transport.ts";
export { type RetryPorts, retryingTransport } from "./transport/retrying-transport.ts";
export type { TlsSettings } from "./transport/tls-settings.ts";
