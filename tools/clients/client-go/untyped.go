package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/cache"
)

var (
	crds    = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	gadgets = schema.GroupVersionResource{Group: "go.example.com", Version: "v1", Resource: "gadgets"}
)

type object = map[string]any

func gadgetDefinition() *unstructured.Unstructured {
	spec := object{"type": "object", "properties": object{"size": object{"type": "integer", "default": int64(3)}}}
	status := object{"type": "object", "properties": object{"phase": object{"type": "string"}}}
	version := object{
		"name": "v1", "served": true, "storage": true,
		"subresources": object{"status": object{}},
		"schema":       object{"openAPIV3Schema": object{"type": "object", "properties": object{"spec": spec, "status": status}}},
	}
	return &unstructured.Unstructured{Object: object{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": object{"name": "gadgets.go.example.com"},
		"spec": object{
			"group": "go.example.com", "scope": "Namespaced", "versions": []any{version},
			"names": object{"plural": "gadgets", "singular": "gadget", "kind": "Gadget", "listKind": "GadgetList"},
		},
	}}
}

func gadget(name string, fields object) *unstructured.Unstructured {
	content := object{"apiVersion": "go.example.com/v1", "kind": "Gadget", "metadata": object{"name": name}}
	for key, value := range fields {
		content[key] = value
	}
	return &unstructured.Unstructured{Object: content}
}

func dynamicObjects(ctx context.Context, c cluster) error {
	client, err := dynamic.NewForConfig(c.config)
	if err != nil {
		return err
	}
	if _, err := client.Resource(crds).Create(ctx, gadgetDefinition(), metav1.CreateOptions{}); err != nil {
		return err
	}
	resource := client.Resource(gadgets).Namespace(namespace)
	// A real server serves a new kind a moment later.
	err = wait.PollUntilContextCancel(ctx, 50*time.Millisecond, true, func(ctx context.Context) (bool, error) {
		_, err := resource.List(ctx, metav1.ListOptions{})
		return err == nil, nil
	})
	if err != nil {
		return err
	}
	stopping, stop := context.WithCancel(ctx)
	defer stop()
	factory := dynamicinformer.NewDynamicSharedInformerFactory(client, 0)
	seen := make(chan string, 100)
	informer := factory.ForResource(gadgets).Informer()
	if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(object any) { tell(seen, "added", object) }}); err != nil {
		return err
	}
	factory.Start(stopping.Done())
	created, err := resource.Create(ctx, gadget("one", object{"spec": object{}}), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	size, _, _ := unstructured.NestedInt64(created.Object, "spec", "size")
	applied, err := resource.Apply(ctx, "two", gadget("two", object{"spec": object{"size": int64(7)}}), metav1.ApplyOptions{FieldManager: "go"})
	if err != nil {
		return err
	}
	status, err := resource.ApplyStatus(ctx, "two", gadget("two", object{"status": object{"phase": "Ready"}}), metav1.ApplyOptions{FieldManager: "go"})
	if err != nil {
		return err
	}
	phase, _, _ := unstructured.NestedString(status.Object, "status", "phase")
	return errors.Join(
		expect(size == 3, "the default is missing: %v", created),
		expect(phase == "Ready" && status.GetGeneration() == applied.GetGeneration(), "the status is %v", status),
		await(ctx, seen, "added one"),
		await(ctx, seen, "added two"),
	)
}

func metadataOnly(ctx context.Context, c cluster) error {
	client, err := metadata.NewForConfig(c.config)
	if err != nil {
		return err
	}
	list, err := client.Resource(gadgets).Namespace(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	one, err := client.Resource(gadgets).Namespace(namespace).Get(ctx, "one", metav1.GetOptions{})
	if err != nil {
		return err
	}
	return errors.Join(
		expect(len(list.Items) == 2, "the list is %v", list),
		expect(one.Name == "one" && one.UID != "", "the object is %v", one),
	)
}

func discovered(_ context.Context, c cluster) error {
	client, err := discovery.NewDiscoveryClientForConfig(c.config)
	if err != nil {
		return err
	}
	version, err := client.ServerVersion()
	if err != nil {
		return err
	}
	groups, lists, err := client.ServerGroupsAndResources()
	if err != nil {
		return err
	}
	preferred, err := client.ServerPreferredResources()
	if err != nil {
		return err
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client))
	mapping, err := mapper.RESTMapping(schema.GroupKind{Group: "go.example.com", Kind: "Gadget"})
	if err != nil {
		return err
	}
	hasApps := slices.ContainsFunc(groups, func(group *metav1.APIGroup) bool { return group.Name == "apps" })
	return errors.Join(
		expect(version.Minor == "36", "the version is %v", version),
		expect(hasApps && len(lists) > 10 && len(preferred) > 10, "groups are missing: %v", groups),
		expect(mapping.Resource == gadgets, "the mapping is %v", mapping),
		schemas(client),
	)
}

func schemas(client *discovery.DiscoveryClient) error {
	paths, err := client.OpenAPIV3().Paths()
	if err != nil {
		return err
	}
	own, isThere := paths["apis/go.example.com/v1"]
	if !isThere {
		return expect(false, "no schema of custom resources: %v", paths)
	}
	document, err := own.Schema("application/json")
	if err != nil {
		return err
	}
	return expect(strings.Contains(string(document), "com.example.go.v1.Gadget"), "the schema is %s", document)
}
