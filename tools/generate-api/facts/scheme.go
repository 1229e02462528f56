package main

import (
	admission "k8s.io/api/admission/v1"
	admissionregistration "k8s.io/api/admissionregistration/v1"
	admissionregistrationbeta "k8s.io/api/admissionregistration/v1beta1"
	apps "k8s.io/api/apps/v1"
	authentication "k8s.io/api/authentication/v1"
	authorization "k8s.io/api/authorization/v1"
	autoscaling "k8s.io/api/autoscaling/v1"
	autoscaling2 "k8s.io/api/autoscaling/v2"
	batch "k8s.io/api/batch/v1"
	certificates "k8s.io/api/certificates/v1"
	certificatesbeta "k8s.io/api/certificates/v1beta1"
	coordination "k8s.io/api/coordination/v1"
	coordinationbeta "k8s.io/api/coordination/v1beta1"
	core "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	events "k8s.io/api/events/v1"
	flowcontrol "k8s.io/api/flowcontrol/v1"
	networking "k8s.io/api/networking/v1"
	networkingbeta "k8s.io/api/networking/v1beta1"
	node "k8s.io/api/node/v1"
	policy "k8s.io/api/policy/v1"
	rbac "k8s.io/api/rbac/v1"
	resource "k8s.io/api/resource/v1"
	resourcebeta1 "k8s.io/api/resource/v1beta1"
	resourcebeta2 "k8s.io/api/resource/v1beta2"
	scheduling "k8s.io/api/scheduling/v1"
	storage "k8s.io/api/storage/v1"
	storagebeta "k8s.io/api/storage/v1beta1"
	storagemigration "k8s.io/api/storagemigration/v1beta1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// newScheme knows every stable and beta group version that operators meet.
func newScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	builder := runtime.NewSchemeBuilder(
		admission.AddToScheme, admissionregistration.AddToScheme, admissionregistrationbeta.AddToScheme,
		apiextensions.AddToScheme, apiregistration.AddToScheme, apps.AddToScheme, authentication.AddToScheme,
		authorization.AddToScheme, autoscaling.AddToScheme, autoscaling2.AddToScheme, batch.AddToScheme,
		certificates.AddToScheme, certificatesbeta.AddToScheme, coordination.AddToScheme, coordinationbeta.AddToScheme,
		core.AddToScheme, discovery.AddToScheme, events.AddToScheme, flowcontrol.AddToScheme, networking.AddToScheme,
		networkingbeta.AddToScheme, node.AddToScheme, policy.AddToScheme, rbac.AddToScheme, resource.AddToScheme,
		resourcebeta1.AddToScheme, resourcebeta2.AddToScheme, scheduling.AddToScheme, storage.AddToScheme,
		storagebeta.AddToScheme, storagemigration.AddToScheme,
	)
	if err := builder.AddToScheme(scheme); err != nil {
		panic(err)
	}
	return scheme
}
