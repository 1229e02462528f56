package main

import (
	"context"
	"errors"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	applyautoscalingv1 "k8s.io/client-go/applyconfigurations/autoscaling/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

func election(ctx context.Context, c cluster) error {
	leading := make(chan string, 10)
	first, stopFirst := context.WithCancel(ctx)
	second, stopSecond := context.WithCancel(ctx)
	defer stopSecond()
	defer stopFirst()
	go candidate(first, c, "first", leading)
	if err := await(ctx, leading, "first leads"); err != nil {
		return err
	}
	go candidate(second, c, "second", leading)
	stopFirst()
	if err := await(ctx, leading, "first stopped"); err != nil {
		return err
	}
	return await(ctx, leading, "second leads")
}

func candidate(ctx context.Context, c cluster, name string, leading chan<- string) {
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Name: "election", Namespace: namespace},
			Client:     c.typed.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: name},
		},
		LeaseDuration: 3 * time.Second, RenewDeadline: 2 * time.Second, RetryPeriod: 200 * time.Millisecond,
		ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { leading <- name + " leads" },
			OnStoppedLeading: func() { leading <- name + " stopped" },
		},
	})
}

func subresources(ctx context.Context, c cluster) error {
	deployments := c.typed.AppsV1().Deployments(namespace)
	if _, err := deployments.Create(ctx, deployment("scaled", 1), metav1.CreateOptions{}); err != nil {
		return err
	}
	scale, err := deployments.GetScale(ctx, "scaled", metav1.GetOptions{})
	if err != nil {
		return err
	}
	scale.Spec.Replicas, scale.ResourceVersion = 2, ""
	if _, err := deployments.UpdateScale(ctx, "scaled", scale, metav1.UpdateOptions{}); err != nil {
		return err
	}
	wanted := applyautoscalingv1.Scale().WithSpec(applyautoscalingv1.ScaleSpec().WithReplicas(4))
	applied, err := deployments.ApplyScale(ctx, "scaled", wanted, metav1.ApplyOptions{FieldManager: "go", Force: true})
	if err != nil {
		return err
	}
	if err := expect(applied.Spec.Replicas == 4, "the scale is %v", applied); err != nil {
		return err
	}
	eviction := &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: "awaited", Namespace: namespace}}
	if err := c.typed.PolicyV1().Evictions(namespace).Evict(ctx, eviction); err != nil {
		return err
	}
	return wait.PollUntilContextCancel(ctx, 50*time.Millisecond, true, func(ctx context.Context) (bool, error) {
		_, err := c.typed.CoreV1().Pods(namespace).Get(ctx, "awaited", metav1.GetOptions{})
		return apierrors.IsNotFound(err), nil
	})
}

func access(ctx context.Context, c cluster) error {
	if err := grantReading(ctx, c); err != nil {
		return err
	}
	request := &authenticationv1.TokenRequest{}
	token, err := c.typed.CoreV1().ServiceAccounts(namespace).CreateToken(ctx, "default", request, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	bearer := rest.AnonymousClientConfig(c.config)
	bearer.BearerToken = token.Status.Token
	asAccount, err := kubernetes.NewForConfig(bearer)
	if err != nil {
		return err
	}
	impersonating := rest.CopyConfig(c.config)
	impersonating.Impersonate = rest.ImpersonationConfig{UserName: "jane", Groups: []string{"readers"}}
	asJane, err := kubernetes.NewForConfig(impersonating)
	if err != nil {
		return err
	}
	review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
		ResourceAttributes: &authorizationv1.ResourceAttributes{Namespace: namespace, Verb: "delete", Resource: "pods"},
	}}
	reviewed, err := asAccount.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	_, readAsAccount := asAccount.CoreV1().ConfigMaps(namespace).List(ctx, metav1.ListOptions{})
	_, readAsJane := asJane.CoreV1().ConfigMaps(namespace).List(ctx, metav1.ListOptions{})
	_, writeAsJane := asJane.CoreV1().ConfigMaps(namespace).Create(ctx, configMap("hers", nil), metav1.CreateOptions{})
	return errors.Join(
		expect(!reviewed.Status.Allowed, "the account may delete pods"),
		expect(readAsAccount == nil, "the account may not read: %v", readAsAccount),
		expect(readAsJane == nil, "the group may not read: %v", readAsJane),
		expect(apierrors.IsForbidden(writeAsJane), "the group may write: %v", writeAsJane),
	)
}

func grantReading(ctx context.Context, c cluster) error {
	rbac := c.typed.RbacV1()
	rules := []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"get", "list"}}}
	role := &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Name: "reader"}, Rules: rules}
	if _, err := rbac.Roles(namespace).Create(ctx, role, metav1.CreateOptions{}); err != nil {
		return err
	}
	binding := &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "readers"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "reader"},
		Subjects: []rbacv1.Subject{
			{Kind: rbacv1.ServiceAccountKind, Name: "default", Namespace: namespace},
			{Kind: rbacv1.GroupKind, APIGroup: rbacv1.GroupName, Name: "readers"},
		},
	}
	_, err := rbac.RoleBindings(namespace).Create(ctx, binding, metav1.CreateOptions{})
	return err
}
