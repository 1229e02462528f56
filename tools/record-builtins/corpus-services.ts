/** Services: types, addresses, ports and how they change. */
import { at, creates, type Scenario, scenario } from "./scenario.ts";

const services = at("/api/v1/namespaces/default/services");
const service = (name: string, spec: object): object => ({ metadata: { name }, spec });
const ports = [{ port: 80 }];

/** Scenarios about Services. */
export const serviceScenarios: readonly Scenario[] = [
  scenario("the service of the API server", services.get("kubernetes")),
  ...creates(services, {
    "a minimal service": service("minimal", { ports }),
    "a service with everything": service("everything", {
      selector: { app: "a" },
      ports: [
        { name: "http", port: 80, targetPort: "web" },
        { name: "dns", port: 53, protocol: "UDP", appProtocol: "example.com/dns" },
      ],
      sessionAffinity: "ClientIP",
    }),
    "a headless service": service("headless", { clusterIP: "None", selector: { a: "b" }, ports }),
    "a headless service without selector": service("headless-free", { clusterIP: "None" }),
    "a node port": service("nodeport", { type: "NodePort", ports }),
    "a chosen node port": service("chosen", { type: "NodePort", ports: [{ port: 80, nodePort: 30_011 }] }),
    "a chosen node port again": service("chosen-again", { type: "NodePort", ports: [{ port: 80, nodePort: 30_011 }] }),
    "a node port out of range": service("x", { type: "NodePort", ports: [{ port: 80, nodePort: 80 }] }),
    "a load balancer": service("balanced", { type: "LoadBalancer", ports }),
    "a local load balancer": service("local", { type: "LoadBalancer", externalTrafficPolicy: "Local", ports }),
    "a load balancer without node ports": service("portless", {
      type: "LoadBalancer",
      allocateLoadBalancerNodePorts: false,
      loadBalancerClass: "example.com/lb",
      ports,
    }),
    "an external name": service("external", { type: "ExternalName", externalName: "example.com" }),
    "a chosen address": service("address", { clusterIP: "10.0.0.2", ports }),
    "a chosen address again": service("address-again", { clusterIP: "10.0.0.2", ports }),
    "an address out of range": service("x", { clusterIP: "10.9.9.9", ports }),
    "an address that is none": service("x", { clusterIP: "here", ports }),
    "no ports": service("x", {}),
    "a service without spec": { metadata: { name: "x" } },
    "ports without names": service("x", { ports: [{ port: 80 }, { port: 81 }] }),
    "ports of one name": service("x", {
      ports: [
        { name: "a", port: 80 },
        { name: "a", port: 81 },
      ],
    }),
    "one port twice": service("x", {
      ports: [
        { name: "a", port: 80 },
        { name: "b", port: 80 },
      ],
    }),
    "a port out of range": service("x", { ports: [{ port: 0 }] }),
    "a bad target port": service("x", { ports: [{ port: 80, targetPort: "Not_A_Port_Name" }] }),
    "a bad protocol": service("x", { ports: [{ port: 80, protocol: "HTTP" }] }),
    "a bad type": service("x", { type: "Magic", ports }),
    "a bad affinity": service("x", { sessionAffinity: "Forever", ports }),
    "an affinity for too long": service("x", {
      sessionAffinity: "ClientIP",
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 100_000 } },
      ports,
    }),
    "an external name that is missing": service("x", { type: "ExternalName" }),
    "an external name that is none": service("x", { type: "ExternalName", externalName: "-a-" }),
    "a node port for a cluster IP": service("x", { ports: [{ port: 80, nodePort: 30_022 }] }),
    "a headless node port": service("x", { type: "NodePort", clusterIP: "None", ports }),
    "a bad selector": service("x", { selector: { "a b": "c" }, ports }),
    "a bad name": service("A_B", { ports }),
    "a name with dots": service("a.b", { ports }),
    "a name that starts with a digit": service("1a", { ports }),
    "ranges without a load balancer": service("x", { loadBalancerSourceRanges: ["10.0.0.0/8"], ports }),
    "a bad range": service("x", { type: "LoadBalancer", loadBalancerSourceRanges: ["10.0.0.0"], ports }),
    "an external policy for nobody": service("x", { externalTrafficPolicy: "Local", ports }),
    "a bad external address": service("x", { externalIPs: ["127.0.0.1"], ports }),
    "an external address": service("reached", { externalIPs: ["192.0.2.1"], ports }),
    "a second family": service("x", { ipFamilyPolicy: "RequireDualStack", ports }),
    "the other family": service("x", { ipFamilies: ["IPv6"], ports }),
    "a bad traffic distribution": service("x", { trafficDistribution: "Fast", ports }),
  }),
  scenario(
    "a service changes its type",
    services.create(service("changing", { ports: [{ port: 80 }] })),
    services.merge("changing", { spec: { type: "NodePort" } }),
    services.merge("changing", { spec: { type: "LoadBalancer" } }),
    services.merge("changing", { spec: { type: "ClusterIP" } }),
    services.merge("changing", { spec: { type: "ExternalName", externalName: "example.com" } }),
    services.merge("changing", { spec: { type: "ClusterIP" } }),
    services.remove("changing"),
  ),
  scenario(
    "a put keeps what was allocated",
    services.create(service("kept", { type: "NodePort", ports })),
    services.update("kept", service("kept", { type: "NodePort", ports: [{ port: 80 }, { name: "b", port: 81 }] })),
    services.update(
      "kept",
      service("kept", {
        type: "NodePort",
        ports: [
          { name: "a", port: 80 },
          { name: "b", port: 81 },
        ],
      }),
    ),
    services.merge("kept", { spec: { clusterIP: "10.0.0.9" } }),
    services.merge("kept", { spec: { clusterIP: "None" } }),
    services.merge("kept", { spec: { ipFamilies: ["IPv6"] } }),
  ),
  scenario(
    "a put creates a service",
    services.update("by-put", service("by-put", { ports })),
    services.list("fieldSelector=spec.type=ExternalName"),
  ),
  scenario("the status of a service", services.create(service("status", { type: "LoadBalancer", ports })), {
    method: "PATCH",
    path: "/api/v1/namespaces/default/services/status/status",
    contentType: "application/merge-patch+json",
    body: { status: { loadBalancer: { ingress: [{ ip: "192.0.2.7" }] } } },
  }),
];
