/** What is wrong with probes and lifecycle hooks. */
import type { Container, Lifecycle, LifecycleHandler, Probe } from "@kubewright/api/core/v1";
import { type FieldError, fieldForbidden, fieldInvalid, fieldRequired } from "@kubewright/core/protocol";
import { validateNonNegative, validateRequired } from "./fields.ts";
import { validatePortNumberOrName } from "./ports.ts";

type Handler = LifecycleHandler & Pick<Probe, "grpc">;

/** The three probes of a container. */
export function validateProbes(at: string, container: Container): FieldError[] {
  const { livenessProbe, readinessProbe, startupProbe } = container;
  return [
    ...validateProbe(`${at}.livenessProbe`, livenessProbe),
    ...validateSuccessThreshold(`${at}.livenessProbe`, livenessProbe),
    ...validateProbe(`${at}.readinessProbe`, readinessProbe),
    ...(readinessProbe?.terminationGracePeriodSeconds === undefined
      ? []
      : [
          fieldInvalid(
            `${at}.readinessProbe.terminationGracePeriodSeconds`,
            readinessProbe.terminationGracePeriodSeconds,
            "must not be set for readinessProbes",
          ),
        ]),
    ...validateProbe(`${at}.startupProbe`, startupProbe),
    ...validateSuccessThreshold(`${at}.startupProbe`, startupProbe),
  ];
}

/** The hooks of a container; one of them may sleep within the pod's grace. */
export function validateLifecycle(
  field: string,
  lifecycle: Lifecycle | undefined,
  graceSeconds: number | undefined,
): FieldError[] {
  return (["postStart", "preStop"] as const).flatMap((name) => {
    const handler = lifecycle?.[name];
    return handler === undefined ? [] : validateHandler(`${field}.${name}`, handler, graceSeconds);
  });
}

function validateSuccessThreshold(field: string, probe: Probe | undefined): FieldError[] {
  if (probe === undefined || probe.successThreshold === 1) return [];
  return [fieldInvalid(`${field}.successThreshold`, probe.successThreshold ?? 0, "must be 1")];
}

function validateProbe(field: string, probe: Probe | undefined): FieldError[] {
  if (probe === undefined) return [];
  const { terminationGracePeriodSeconds: graceSeconds } = probe;
  return [
    ...validateHandler(field, probe, undefined),
    ...validateNonNegative(`${field}.initialDelaySeconds`, probe.initialDelaySeconds),
    ...validateNonNegative(`${field}.timeoutSeconds`, probe.timeoutSeconds),
    ...validateNonNegative(`${field}.periodSeconds`, probe.periodSeconds),
    ...validateNonNegative(`${field}.successThreshold`, probe.successThreshold),
    ...validateNonNegative(`${field}.failureThreshold`, probe.failureThreshold),
    ...(graceSeconds !== undefined && graceSeconds <= 0
      ? [fieldInvalid(`${field}.terminationGracePeriodSeconds`, graceSeconds, "must be greater than 0")]
      : []),
  ];
}

const HEADER_RULE =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";

const HANDLERS = ["exec", "httpGet", "tcpSocket", "grpc", "sleep"] as const;

function validateHandler(field: string, handler: Handler, graceSeconds: number | undefined): FieldError[] {
  const given = HANDLERS.filter((name) => handler[name] !== undefined && handler[name] !== null);
  const [first, ...others] = given;
  if (first === undefined) return [fieldRequired(field, "must specify a handler type")];
  return [
    ...validateAction(`${field}.${first}`, handler, { type: first, graceSeconds }),
    ...others.map((name) => fieldForbidden(`${field}.${name}`, "may not specify more than 1 handler type")),
  ];
}

function validateAction(
  field: string,
  { exec, httpGet, tcpSocket, grpc, sleep }: Handler,
  { type, graceSeconds }: { readonly type: (typeof HANDLERS)[number]; readonly graceSeconds: number | undefined },
): FieldError[] {
  switch (type) {
    case "exec":
      return (exec?.command ?? []).length === 0 ? [fieldRequired(`${field}.command`)] : [];
    case "httpGet":
      return [
        ...validateRequired(`${field}.path`, httpGet?.path),
        ...validatePortNumberOrName(`${field}.port`, httpGet?.port),
        ...(httpGet?.httpHeaders ?? []).flatMap(({ name = "" }) =>
          /^[-A-Za-z0-9]+$/.test(name) ? [] : [fieldInvalid(`${field}.httpHeaders`, name, HEADER_RULE)],
        ),
      ];
    case "tcpSocket":
      return validatePortNumberOrName(`${field}.port`, tcpSocket?.port);
    case "grpc":
      return validatePortNumberOrName(`${field}.port`, grpc?.port);
    case "sleep": {
      const seconds = sleep?.seconds ?? 0;
      if (graceSeconds === undefined || (seconds >= 0 && seconds <= graceSeconds)) return [];
      const detail = `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`;
      return [fieldInvalid(field, seconds, detail)];
    }
  }
}
