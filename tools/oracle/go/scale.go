package main

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// scale answers both directions: the entries that scale sees of the parent's, and the parent's after scale wrote its own.
func scale(c patchCase) (json.RawMessage, error) {
	var parent, written []metav1.ManagedFieldsEntry
	if err := json.Unmarshal(c.Document, &parent); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(c.Patch, &written); err != nil {
		return nil, err
	}
	mappings := managedfields.ResourcePathMappings{
		"apps/v1": fieldpath.MakePathOrDie("spec", "replicas"),
		"apps/v2": fieldpath.MakePathOrDie("spec", "size"),
		"apps/v3": nil,
	}
	handler := managedfields.NewScaleHandler(parent, schema.GroupVersion{Group: "apps", Version: "v1"}, mappings)
	toScale, err := handler.ToSubresource()
	if err != nil {
		return nil, err
	}
	toParent, err := handler.ToParent(written)
	if err != nil {
		return nil, err
	}
	return json.Marshal(map[string]interface{}{"scale": toScale, "parent": toParent})
}
