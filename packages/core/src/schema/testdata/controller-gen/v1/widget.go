// Package v1 holds the Go side of the golden files: the same resources that ../../../markers.test.ts writes with zod.
// +groupName=example.com
// +versionName=v1
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true
// +kubebuilder:resource:path=widgets,singular=widget,shortName={wd,wdg},categories={all,toys},scope=Cluster
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector
// +kubebuilder:printcolumn:name="Replicas",type=integer,JSONPath=`.spec.replicas`,description="wanted",format=int32,priority=1
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:storageversion
// +kubebuilder:metadata:annotations={"example.com/note=hello"},labels={"example.com/tier=gold"}
// +kubebuilder:selectablefield:JSONPath=`.spec.color`
// +kubebuilder:validation:XValidation:rule="self.metadata.name.startsWith('w')",message="names begin with w"
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	// +required
	Spec   WidgetSpec   `json:"spec"`
	Status WidgetStatus `json:"status,omitempty"`
}

type WidgetSpec struct {
	// +kubebuilder:default=1
	Replicas *int32 `json:"replicas,omitempty"`
	Color    string `json:"color,omitempty"`
}

type WidgetStatus struct {
	Replicas int32  `json:"replicas,omitempty"`
	Selector string `json:"selector,omitempty"`
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}
