package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	applyappsv1 "k8s.io/client-go/applyconfigurations/apps/v1"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	applymetav1 "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/util/retry"
)

func configMap(name string, data map[string]string) *corev1.ConfigMap {
	labels := map[string]string{"app": "clients"}
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}, Data: data}
}

func deployment(name string, replicas int32) *appsv1.Deployment {
	labels := map[string]string{"app": name}
	container := corev1.Container{
		Name:  "web",
		Image: "nginx:1",
		Ports: []corev1.ContainerPort{{ContainerPort: 80}},
		Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("10m")},
		},
		LivenessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{
			HTTPGet: &corev1.HTTPGetAction{Path: "/", Port: intstr.FromString("http")},
		}},
	}
	container.Ports[0].Name = "http"
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{container}},
			},
		},
	}
}

func typedObjects(ctx context.Context, c cluster) error {
	deployments := c.typed.AppsV1().Deployments(namespace)
	created, err := deployments.Create(ctx, deployment("typed", 1), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if err := expect(created.UID != "" && created.Generation == 1, "created without uid or generation: %v", created); err != nil {
		return err
	}
	cpu := created.Spec.Template.Spec.Containers[0].Resources.Requests.Cpu().String()
	if err := expect(cpu == "10m", "a quantity came back as %q", cpu); err != nil {
		return err
	}
	if err := changeInAllWays(ctx, c); err != nil {
		return err
	}
	final, err := deployments.Get(ctx, "typed", metav1.GetOptions{})
	if err != nil {
		return err
	}
	container := final.Spec.Template.Spec.Containers[0]
	held := *final.Spec.Replicas == 2 && container.Image == "nginx:3" && final.Labels["patched"] == "json" && container.Env[0].Value == "applied"
	if err := expect(held, "changes were lost: %v", final); err != nil {
		return err
	}
	policy := metav1.DeletePropagationForeground
	if err := deployments.Delete(ctx, "typed", metav1.DeleteOptions{PropagationPolicy: &policy}); err != nil {
		return err
	}
	binary := configMap("binary", nil)
	binary.BinaryData = map[string][]byte{"bytes": {0, 255, 1}}
	stored, err := c.typed.CoreV1().ConfigMaps(namespace).Create(ctx, binary, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	return expect(string(stored.BinaryData["bytes"]) == "\x00\xff\x01", "bytes came back as %v", stored.BinaryData)
}

// changeInAllWays updates, patches in three ways, and applies.
func changeInAllWays(ctx context.Context, c cluster) error {
	deployments := c.typed.AppsV1().Deployments(namespace)
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		current, err := deployments.Get(ctx, "typed", metav1.GetOptions{})
		if err != nil {
			return err
		}
		current.Spec.Template.Spec.Containers[0].Image = "nginx:2"
		_, err = deployments.Update(ctx, current, metav1.UpdateOptions{FieldManager: "updater"})
		return err
	})
	patches := map[types.PatchType]string{
		types.StrategicMergePatchType: `{"spec":{"template":{"spec":{"containers":[{"name":"web","image":"nginx:3"}]}}}}`,
		types.MergePatchType:          `{"spec":{"replicas":2},"metadata":{"labels":{"patched":"merge"}}}`,
	}
	for patchType, patch := range patches {
		if err == nil {
			_, err = deployments.Patch(ctx, "typed", patchType, []byte(patch), metav1.PatchOptions{})
		}
	}
	if err == nil {
		patch := `[{"op":"test","path":"/metadata/labels/patched","value":"merge"},{"op":"replace","path":"/metadata/labels/patched","value":"json"}]`
		_, err = deployments.Patch(ctx, "typed", types.JSONPatchType, []byte(patch), metav1.PatchOptions{})
	}
	if err != nil {
		return err
	}
	env := applycorev1.EnvVar().WithName("FROM").WithValue("applied")
	spec := applycorev1.PodSpec().WithContainers(applycorev1.Container().WithName("web").WithEnv(env))
	template := applycorev1.PodTemplateSpec().WithSpec(spec)
	selector := applymetav1.LabelSelector().WithMatchLabels(map[string]string{"app": "typed"})
	wanted := applyappsv1.Deployment("typed", namespace).
		WithSpec(applyappsv1.DeploymentSpec().WithSelector(selector).WithTemplate(template))
	applied, err := deployments.Apply(ctx, wanted, metav1.ApplyOptions{FieldManager: "applier"})
	if err != nil {
		return err
	}
	extracted, err := applyappsv1.ExtractDeployment(applied, "applier")
	if err != nil {
		return err
	}
	return expect(len(extracted.Spec.Template.Spec.Containers) == 1, "the applier owns %v", extracted)
}

func failures(ctx context.Context, c cluster) error {
	maps := c.typed.CoreV1().ConfigMaps(namespace)
	_, missing := maps.Get(ctx, "missing", metav1.GetOptions{})
	first, err := maps.Create(ctx, configMap("failures", map[string]string{"a": "1"}), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	_, exists := maps.Create(ctx, configMap("failures", nil), metav1.CreateOptions{})
	first.Data["a"] = "2"
	if _, err := maps.Update(ctx, first, metav1.UpdateOptions{}); err != nil {
		return err
	}
	first.Data["a"] = "3"
	_, conflict := maps.Update(ctx, first, metav1.UpdateOptions{})
	_, invalid := maps.Create(ctx, configMap("Not A Name", nil), metav1.CreateOptions{})
	applied := applycorev1.ConfigMap("failures", namespace).WithData(map[string]string{"a": "4"})
	_, ownership := maps.Apply(ctx, applied, metav1.ApplyOptions{FieldManager: "other"})
	var status apierrors.APIStatus
	return errors.Join(
		expect(apierrors.IsNotFound(missing), "not found: %v", missing),
		expect(apierrors.IsAlreadyExists(exists), "already exists: %v", exists),
		expect(apierrors.IsConflict(conflict), "conflict: %v", conflict),
		expect(apierrors.IsInvalid(invalid), "invalid: %v", invalid),
		expect(errors.As(invalid, &status) && len(status.Status().Details.Causes) > 0, "no causes: %v", invalid),
		expect(apierrors.IsConflict(ownership), "ownership: %v", ownership),
		expect(apierrors.HasStatusCause(ownership, metav1.CauseTypeFieldManagerConflict), "no cause: %v", ownership),
	)
}

const writers, writesEach = 8, 10

func contention(ctx context.Context, c cluster) error {
	maps := c.typed.CoreV1().ConfigMaps(namespace)
	if _, err := maps.Create(ctx, configMap("counter", map[string]string{"n": ""}), metav1.CreateOptions{}); err != nil {
		return err
	}
	var group sync.WaitGroup
	failed := make(chan error, writers*writesEach)
	for range writers {
		group.Go(func() {
			for range writesEach {
				failed <- increment(ctx, c)
			}
		})
	}
	group.Wait()
	close(failed)
	for err := range failed {
		if err != nil {
			return err
		}
	}
	final, err := maps.Get(ctx, "counter", metav1.GetOptions{})
	if err != nil {
		return err
	}
	return expect(len(final.Data["n"]) == writers*writesEach, "%d increments remain", len(final.Data["n"]))
}

func increment(ctx context.Context, c cluster) error {
	maps := c.typed.CoreV1().ConfigMaps(namespace)
	for ctx.Err() == nil {
		current, err := maps.Get(ctx, "counter", metav1.GetOptions{})
		if err != nil {
			return err
		}
		current.Data["n"] += "I"
		_, err = maps.Update(ctx, current, metav1.UpdateOptions{})
		if !apierrors.IsConflict(err) {
			return err
		}
	}
	return fmt.Errorf("gave up: %w", ctx.Err())
}
