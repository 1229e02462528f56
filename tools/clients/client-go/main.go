// Command clients uses a cluster as Go programs do: with client-go's typed clients (whose bodies are protobuf), informers, watches,
// patches, server-side apply, paging, leader election, discovery, the dynamic and the metadata client. Each scenario that
// holds is printed as "ok NAME"; the first that does not ends the program. ../test-real/client-go.test.ts runs it.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// cluster is what a scenario works on.
type cluster struct {
	config *rest.Config
	// typed sends and prefers protobuf.
	typed kubernetes.Interface
}

const namespace = "default"

var scenarios = []struct {
	name string
	run  func(context.Context, cluster) error
}{
	{"typed clients create, read, update, patch, apply and delete", typedObjects},
	{"failures are told apart", failures},
	{"updates under contention are all counted", contention},
	{"a typed watch delivers every change", typedWatch},
	{"informers follow the cluster and serve listers", informers},
	{"long lists come in pages", paging},
	{"the dynamic client handles kinds it has no types for", dynamicObjects},
	{"the metadata client sees metadata alone", metadataOnly},
	{"discovery names groups, resources, schemas and the version", discovered},
	{"one candidate leads at a time, and another follows it", election},
	{"scale and eviction are subresources", subresources},
	{"reviews, tokens and impersonation tell who may what", access},
}

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	exitOn("kubeconfig", err)
	config.QPS, config.Burst = -1, -1
	protobuf := rest.CopyConfig(config)
	protobuf.ContentType = "application/vnd.kubernetes.protobuf"
	protobuf.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	typed, err := kubernetes.NewForConfig(protobuf)
	exitOn("client", err)
	for _, scenario := range scenarios {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		exitOn(scenario.name, scenario.run(ctx, cluster{config, typed}))
		cancel()
		fmt.Println("ok", scenario.name)
	}
}

func exitOn(what string, err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", what, err)
		os.Exit(1)
	}
}

// expect is nil when a condition holds.
func expect(holds bool, format string, args ...any) error {
	if holds {
		return nil
	}
	return fmt.Errorf(format, args...)
}
