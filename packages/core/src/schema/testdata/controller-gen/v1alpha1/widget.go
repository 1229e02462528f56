// Package v1alpha1 holds the older version of Widget.
// +groupName=example.com
// +versionName=v1alpha1
package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true
// +kubebuilder:resource:path=widgets,singular=widget,shortName={wd,wdg},categories={all,toys},scope=Cluster
// +kubebuilder:unservedversion
// +kubebuilder:deprecatedversion:warning="use v1"
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	// +required
	Spec WidgetSpec `json:"spec"`
}

type WidgetSpec struct {
	Size int64 `json:"size"`
}
