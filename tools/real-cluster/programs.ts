/**
 * The programs of a real Kubernetes, each built from a pinned Go module under modules/. A level needs all programs of
 * the levels before it. build.ts compiles what is missing; versions are raised in modules/<name>/go.mod.
 */
import type { CLibrary } from "./c-library.ts";

/** How much of Kubernetes runs: what envtest runs, plus the controllers and a simulated node, plus a real node. */
export const levels = ["control-plane", "controllers", "node"] as const;

/** One of `levels`. */
export type Level = (typeof levels)[number];

/** One program to build. */
export interface Program {
  readonly name: string;
  /** Folder under modules/. */
  readonly module: string;
  /** The Go package with its main function. */
  readonly package: string;
  /** Linker flags. @default "-s -w" */
  readonly linkerFlags?: string;
  /** Data files of the module, joined as YAML documents into `<name>.yaml` beside the program. @default [] */
  readonly data?: readonly string[];
  /** A C library that it is linked with, and the build tag that says so. @default none: it is static */
  readonly library?: CLibrary & { readonly tag: string };
  /** Name of an image with this program in it, written to `<name>.tar` beside the program. @default none */
  readonly image?: string;
}

const kubernetesVersion = "1.36.3";
const versionPackage = "k8s.io/component-base/version";
const kubernetesFlags = [
  "-s -w",
  `-X ${versionPackage}.gitVersion=v${kubernetesVersion}`,
  `-X ${versionPackage}.gitMajor=1`,
  `-X ${versionPackage}.gitMinor=36`,
].join(" ");

function kubernetes(name: string): Program {
  return { name, module: "kubernetes", package: `k8s.io/kubernetes/cmd/${name}`, linkerFlags: kubernetesFlags };
}

function containerd(name: string): Program {
  return { name, module: "containerd", package: `github.com/containerd/containerd/v2/cmd/${name}` };
}

function networkPlugin(name: string, kind: string): Program {
  return { name, module: "cni", package: `github.com/containernetworking/plugins/plugins/${kind}/${name}` };
}

function image(name: string, reference: string): Program {
  return { name, module: "images", package: `./${name}`, image: reference };
}

/** What each level adds to the one before. */
export const programsOf: Readonly<Record<Level, readonly Program[]>> = {
  "control-plane": [
    { name: "etcd", module: "etcd", package: "go.etcd.io/etcd/server/v3" },
    kubernetes("kube-apiserver"),
    kubernetes("kubectl"),
  ],
  controllers: [
    kubernetes("kube-controller-manager"),
    kubernetes("kube-scheduler"),
    {
      name: "kwok",
      module: "kwok",
      package: "sigs.k8s.io/kwok/cmd/kwok",
      data: [
        "kustomize/stage/node/fast/node-initialize.yaml",
        "kustomize/stage/node/heartbeat-with-lease/node-heartbeat-with-lease.yaml",
        "kustomize/stage/pod/fast/pod-ready.yaml",
        "kustomize/stage/pod/fast/pod-complete.yaml",
        "kustomize/stage/pod/fast/pod-delete.yaml",
      ],
    },
    { name: "helm", module: "helm", package: "helm.sh/helm/v4/cmd/helm" },
    { name: "crane", module: "crane", package: "github.com/google/go-containerregistry/cmd/crane" },
  ],
  node: [
    kubernetes("kubelet"),
    containerd("containerd"),
    containerd("containerd-shim-runc-v2"),
    containerd("ctr"),
    {
      name: "runc",
      module: "runc",
      package: "github.com/opencontainers/runc",
      // Pods under the restricted standard ask for the runtime's system call filter.
      library: { name: "libseccomp", debianPackage: "libseccomp-dev", tag: "seccomp" },
    },
    networkPlugin("bridge", "main"),
    networkPlugin("loopback", "main"),
    networkPlugin("host-local", "ipam"),
    image("pause", "localhost/pause:1"),
    image("memcached", "docker.io/library/memcached:1.6-alpine"),
  ],
};
