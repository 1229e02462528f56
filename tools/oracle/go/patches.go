package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

func init() {
	// What kube-apiserver configures.
	jsonpatch.AccumulatedCopySizeLimit = 3 * 1024 * 1024
}

func jsonPatch(c patchCase) (json.RawMessage, error) {
	patch, err := jsonpatch.DecodePatch(c.Patch)
	if err != nil {
		return nil, err
	}
	return patch.Apply(c.Document)
}

func mergePatch(c patchCase) (json.RawMessage, error) {
	return jsonpatch.MergePatch(c.Document, c.Patch)
}

func createMergePatch(c patchCase) (json.RawMessage, error) {
	return jsonpatch.CreateMergePatch(c.Document, c.Patch)
}

func strategic(c patchCase) (json.RawMessage, error) {
	var document, patch map[string]interface{}
	if err := utiljson.Unmarshal(c.Document, &document); err != nil {
		return nil, err
	}
	if err := utiljson.Unmarshal(c.Patch, &patch); err != nil {
		return nil, errors.New("invalid JSON document")
	}
	var schema patchSchema
	if err := json.Unmarshal(c.Schema, &schema); err != nil {
		return nil, err
	}
	// Copies have no spare capacity, like the objects that kube-apiserver patches.
	merged, err := strategicpatch.StrategicMergeMapPatchUsingLookupPatchMeta(
		runtime.DeepCopyJSON(document), runtime.DeepCopyJSON(patch), patchMeta{&schema})
	if err != nil {
		return nil, err
	}
	return json.Marshal(merged)
}

// patchSchema is the part of a structural schema that strategic merge patch looks at.
type patchSchema struct {
	Type       string                  `json:"type"`
	Properties map[string]*patchSchema `json:"properties"`
	Items      *patchSchema            `json:"items"`
	Strategy   string                  `json:"x-kubernetes-patch-strategy"`
	MergeKey   string                  `json:"x-kubernetes-patch-merge-key"`
}

// patchMeta answers like strategicpatch.PatchMetaFromStruct does for a Go type with the same shape.
type patchMeta struct{ schema *patchSchema }

func (m patchMeta) field(key string) (*patchSchema, strategicpatch.PatchMeta, error) {
	meta := strategicpatch.PatchMeta{}
	if m.schema == nil || m.schema.Properties == nil {
		return nil, meta, errors.New("merging an object in json but data type is not struct, instead is: map")
	}
	field, ok := m.schema.Properties[key]
	if !ok {
		return nil, meta, fmt.Errorf("unable to find api field %q", key)
	}
	meta.SetPatchStrategies(strings.Split(field.Strategy, ","))
	meta.SetPatchMergeKey(field.MergeKey)
	return field, meta, nil
}

func (m patchMeta) LookupPatchMetadataForStruct(key string) (strategicpatch.LookupPatchMeta, strategicpatch.PatchMeta, error) {
	field, meta, err := m.field(key)
	return patchMeta{field}, meta, err
}

func (m patchMeta) LookupPatchMetadataForSlice(key string) (strategicpatch.LookupPatchMeta, strategicpatch.PatchMeta, error) {
	field, meta, err := m.field(key)
	if err != nil {
		return nil, meta, err
	}
	if field.Items == nil {
		return nil, meta, errors.New("expected slice or array type, but got: struct")
	}
	if field.Items.Type == "array" {
		return nil, meta, errors.New("unexpected slice of slice")
	}
	return patchMeta{field.Items}, meta, nil
}

func (m patchMeta) Name() string { return "struct" }
