package main

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	clientinformers "k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/pager"
	watchtools "k8s.io/client-go/tools/watch"
)

func typedWatch(ctx context.Context, c cluster) error {
	maps := c.typed.CoreV1().ConfigMaps(namespace)
	list, err := maps.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	options := metav1.ListOptions{ResourceVersion: list.ResourceVersion, FieldSelector: "metadata.name=watched", AllowWatchBookmarks: true}
	watcher, err := maps.Watch(ctx, options)
	if err != nil {
		return err
	}
	defer watcher.Stop()
	if _, err := maps.Create(ctx, configMap("watched", map[string]string{"a": "1"}), metav1.CreateOptions{}); err != nil {
		return err
	}
	patch := []byte(`{"data":{"a":"2"}}`)
	if _, err := maps.Patch(ctx, "watched", types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
		return err
	}
	if err := maps.Delete(ctx, "watched", metav1.DeleteOptions{}); err != nil {
		return err
	}
	for _, wanted := range []watch.EventType{watch.Added, watch.Modified, watch.Deleted} {
		event := <-watcher.ResultChan()
		if err := expect(event.Type == wanted, "%v came in place of %v: %v", event.Type, wanted, event.Object); err != nil {
			return err
		}
	}
	return untilRunning(ctx, c)
}

// untilRunning starts a pod and follows it by list and watch until its state is what was waited for.
func untilRunning(ctx context.Context, c cluster) error {
	pods := c.typed.CoreV1().Pods(namespace)
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "awaited", Labels: map[string]string{"app": "awaited"}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "i"}}},
	}
	if _, err := pods.Create(ctx, pod, metav1.CreateOptions{}); err != nil {
		return err
	}
	source := &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			return pods.List(ctx, options)
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			return pods.Watch(ctx, options)
		},
	}
	_, err := watchtools.UntilWithSync(ctx, source, &corev1.Pod{}, nil, func(event watch.Event) (bool, error) {
		pod, isPod := event.Object.(*corev1.Pod)
		return isPod && pod.Name == "awaited" && pod.Status.Phase == corev1.PodRunning, nil
	})
	return err
}

func informers(ctx context.Context, c cluster) error {
	stopping, stop := context.WithCancel(ctx)
	defer stop()
	factory := clientinformers.NewSharedInformerFactoryWithOptions(c.typed, 0, clientinformers.WithNamespace(namespace))
	maps := factory.Core().V1().ConfigMaps()
	nodes := factory.Core().V1().Nodes()
	deployments := factory.Apps().V1().Deployments()
	seen := make(chan string, 100)
	_, err := maps.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { tell(seen, "added", object) },
		UpdateFunc: func(_, object any) { tell(seen, "updated", object) },
		DeleteFunc: func(object any) { tell(seen, "deleted", object) },
	})
	if err != nil {
		return err
	}
	nodes.Lister()
	deployments.Lister()
	factory.StartWithContext(stopping)
	synced := factory.WaitForCacheSyncWithContext(ctx)
	if err := synced.AsError(); err != nil {
		return err
	}
	client := c.typed.CoreV1().ConfigMaps(namespace)
	if _, err := client.Create(ctx, configMap("informed", nil), metav1.CreateOptions{}); err != nil {
		return err
	}
	if err := await(ctx, seen, "added informed"); err != nil {
		return err
	}
	found, err := maps.Lister().ConfigMaps(namespace).List(labels.SelectorFromSet(labels.Set{"app": "clients"}))
	if err != nil {
		return err
	}
	isListed := slices.ContainsFunc(found, func(object *corev1.ConfigMap) bool { return object.Name == "informed" })
	if err := expect(isListed, "the lister does not know it: %v", found); err != nil {
		return err
	}
	if _, err := client.Patch(ctx, "informed", types.MergePatchType, []byte(`{"data":{"a":"1"}}`), metav1.PatchOptions{}); err != nil {
		return err
	}
	if err := await(ctx, seen, "updated informed"); err != nil {
		return err
	}
	if err := client.Delete(ctx, "informed", metav1.DeleteOptions{}); err != nil {
		return err
	}
	return await(ctx, seen, "deleted informed")
}

func tell(seen chan<- string, what string, object any) {
	if accessor, err := meta.Accessor(object); err == nil {
		seen <- what + " " + accessor.GetName()
	}
}

func await(ctx context.Context, seen <-chan string, wanted string) error {
	for {
		select {
		case text := <-seen:
			if text == wanted {
				return nil
			}
		case <-ctx.Done():
			return fmt.Errorf("never %s: %w", wanted, ctx.Err())
		}
	}
}

const pagedObjects, pageSize = 35, 10

func paging(ctx context.Context, c cluster) error {
	secrets := c.typed.CoreV1().Secrets(namespace)
	for index := range pagedObjects {
		secret := &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{GenerateName: "paged-", Labels: map[string]string{"paged": "true"}},
			StringData: map[string]string{"index": fmt.Sprint(index)},
		}
		if _, err := secrets.Create(ctx, secret, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	pages := 0
	lister := pager.New(func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		pages++
		return secrets.List(ctx, options)
	})
	lister.PageSize = pageSize
	seen := map[string]bool{}
	options := metav1.ListOptions{LabelSelector: "paged=true"}
	err := lister.EachListItem(ctx, options, func(object runtime.Object) error {
		secret := object.(*corev1.Secret)
		seen[string(secret.Data["index"])] = true
		return nil
	})
	if err != nil {
		return err
	}
	if err := expect(len(seen) == pagedObjects && pages == 4, "%d objects in %d pages", len(seen), pages); err != nil {
		return err
	}
	if err := secrets.DeleteCollection(ctx, metav1.DeleteOptions{}, options); err != nil {
		return err
	}
	rest, err := secrets.List(ctx, options)
	if err != nil {
		return err
	}
	return expect(len(rest.Items) == 0, "%d are left", len(rest.Items))
}
