/** Takes addresses and node ports for a Service, and settles its address families; the cluster has IPv4 only. */
import type { ServicePort, ServiceSpec } from "@kubewright/api/core/v1";
import { type FieldError, fieldInvalid, internalError, invalidError } from "@kubewright/core/protocol";
import { type ApiObject, withFields } from "../../resource/object.ts";
import type { Reservation } from "../../resource/strategy.ts";
import { isIpAddress } from "../validation/addresses.ts";
import { asJson } from "../validation/fields.ts";
import { type AddressStock, NODE_PORT_RANGE, type Refusal } from "./address-stock.ts";
import {
  allocationsOf,
  isHeadless,
  needsClusterIp,
  needsHealthCheck,
  needsNodePort,
  specOf,
} from "./service-fields.ts";
import { validateAddresses } from "./validate-service.ts";

/** Takes what the Service needs beyond what it has; throws a 422 when the stock refuses. */
export function reserveService(stock: AddressStock, next: ApiObject, current: ApiObject | undefined): Reservation {
  const spec = specOf(next);
  const had = current === undefined ? { addresses: [], ports: [] } : allocationsOf(current);
  const name = next.metadata.name ?? "";
  const taken = { addresses: [] as string[], ports: [] as number[] };
  const release = (): void => stock.giveBack(taken);
  const taking: Taking = { stock, had, taken, name };
  try {
    const families = settleFamilies(spec, current === undefined ? undefined : specOf(current), name);
    const addressed = takeAddresses(families, taking);
    const ported = takePorts(addressed, taking);
    const object = withFields(next, { spec: asJson(takeHealthCheckPort(ported, taking)) });
    return { object, release };
  } catch (error) {
    release();
    throw error;
  }
}

interface Taking {
  readonly stock: AddressStock;
  /** What the stored Service has already. */
  readonly had: { readonly addresses: readonly string[]; readonly ports: readonly number[] };
  /** What this write took so far. */
  readonly taken: { readonly addresses: string[]; readonly ports: number[] };
  readonly name: string;
}

function settleFamilies(spec: ServiceSpec, current: ServiceSpec | undefined, name: string): ServiceSpec {
  if (!needsClusterIp(spec)) return spec;
  const isSelectorless = isHeadless(spec) && Object.keys(spec.selector ?? {}).length === 0;
  const policy =
    spec.ipFamilyPolicy ?? current?.ipFamilyPolicy ?? (isSelectorless ? "RequireDualStack" : "SingleStack");
  const settled: ServiceSpec = { ...spec, ipFamilyPolicy: policy };
  refuse(name, validateAddresses(settled));
  const given = spec.ipFamilies ?? [];
  if (isSelectorless) {
    const families = given.length === 0 ? (["IPv4"] as const) : given;
    const isDual = policy !== "SingleStack" && families.length < 2;
    return { ...settled, ipFamilies: isDual ? [...families, families[0] === "IPv4" ? "IPv6" : "IPv4"] : families };
  }
  refuse(name, validateFamilies(settled, policy));
  return { ...settled, ipFamilies: given.length === 0 ? ["IPv4"] : given };
}

function validateFamilies({ ipFamilies = [], clusterIPs = [] }: ServiceSpec, policy: string): FieldError[] {
  const v6 = clusterIPs.findIndex((address) => address.includes(":"));
  if (v6 >= ipFamilies.length && v6 !== -1) {
    return [fieldInvalid(`spec.clusterIPs[${v6}]`, [...clusterIPs], "IPv6 is not configured on this cluster")];
  }
  return [
    ...(policy === "RequireDualStack"
      ? [fieldInvalid("spec.ipFamilyPolicy", policy, "this cluster is not configured for dual-stack services")]
      : []),
    ...ipFamilies.flatMap((family, index) =>
      family === "IPv4" ? [] : [fieldInvalid(`spec.ipFamilies[${index}]`, family, "not configured on this cluster")],
    ),
  ];
}

function takeAddresses(spec: ServiceSpec, { stock, had, taken, name }: Taking): ServiceSpec {
  if (!needsClusterIp(spec) || isHeadless(spec)) return spec;
  const [given = ""] = spec.clusterIPs ?? [];
  if (given !== "" && (had.addresses.includes(given) || !isIpAddress(given))) return spec;
  if (given !== "") {
    const refusal = stock.takeAddress(given);
    if (refusal !== undefined) {
      const detail = `failed to allocate IP ${given}: ${addressRefusal(refusal)}`;
      refuse(name, [fieldInvalid("spec.clusterIPs", [...(spec.clusterIPs ?? [])], detail)]);
    }
    taken.addresses.push(given);
    return spec;
  }
  const address = stock.takeAnyAddress();
  if (address === undefined)
    throw internalError(`failed to allocate a serviceIP for Service ${JSON.stringify(name)}: range is full`);
  taken.addresses.push(address);
  return { ...spec, clusterIP: address, clusterIPs: [address] };
}

function addressRefusal(refusal: Refusal): string {
  return refusal === "taken"
    ? "provided IP is already allocated"
    : "the provided network does not match the current range";
}

function takePorts(spec: ServiceSpec, taking: Taking): ServiceSpec {
  const { type, ports } = spec;
  if ((type !== "NodePort" && type !== "LoadBalancer") || ports === undefined) return spec;
  const byPort = new Map<number, number>();
  return {
    ...spec,
    ports: ports.map((port, index) => {
      if ((port.nodePort ?? 0) === 0 && !needsNodePort(spec)) return port;
      const nodePort = nodePortFor(port, { ports, byPort, field: `spec.ports[${index}].nodePort` }, taking);
      byPort.set(port.port, nodePort);
      return { ...port, nodePort };
    }),
  };
}

interface PortChoice {
  readonly ports: readonly ServicePort[];
  /** Node ports by port: one serves several protocols of the same port. */
  readonly byPort: ReadonlyMap<number, number>;
  readonly field: string;
}

function nodePortFor(port: ServicePort, { ports, byPort, field }: PortChoice, taking: Taking): number {
  const shared = byPort.get(port.port);
  if (shared !== undefined && (port.nodePort === undefined || port.nodePort === 0 || port.nodePort === shared)) {
    return shared;
  }
  const asked =
    port.nodePort ||
    (shared === undefined ? ports.find((other) => other.port === port.port && other.nodePort)?.nodePort : 0);
  return asked ? takeNodePort(asked, field, taking) : takeAnyNodePort(taking);
}

function takeNodePort(port: number, field: string, { stock, had, taken, name }: Taking): number {
  if (had.ports.includes(port) || taken.ports.includes(port)) return port;
  const refusal = stock.takePort(port);
  if (refusal !== undefined) {
    const detail =
      refusal === "taken"
        ? "provided port is already allocated"
        : `provided port is not in the valid range. The range of valid ports is ${NODE_PORT_RANGE}`;
    refuse(name, [fieldInvalid(field, port, detail)]);
  }
  taken.ports.push(port);
  return port;
}

function takeAnyNodePort({ stock, taken }: Taking): number {
  const port = stock.takeAnyPort();
  if (port === undefined) throw internalError("failed to allocate a nodePort: range is full");
  taken.ports.push(port);
  return port;
}

function takeHealthCheckPort(spec: ServiceSpec, taking: Taking): ServiceSpec {
  if (!needsHealthCheck(spec)) return spec;
  const { healthCheckNodePort: asked = 0 } = spec;
  const field = "spec.healthCheckNodePort";
  return { ...spec, healthCheckNodePort: asked === 0 ? takeAnyNodePort(taking) : takeNodePort(asked, field, taking) };
}

function refuse(name: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidError({ group: "", kind: "Service", name }, errors);
}
