package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

const (
	group   = "example.com"
	kind    = "Thing"
	hub     = "v1"
	dayZero = "2020-01-01T00:00:"
)

// step is one write of a sequence: an applied configuration, or an update given as a merge patch of the live object.
type step struct {
	Operation   string          `json:"operation"`
	Manager     string          `json:"manager"`
	Version     string          `json:"version"`
	Subresource string          `json:"subresource"`
	Force       bool            `json:"force"`
	Config      json.RawMessage `json:"config"`
	Patch       json.RawMessage `json:"patch"`
}

type stepResult struct {
	Object  map[string]interface{} `json:"object,omitempty"`
	Code    int32                  `json:"code,omitempty"`
	Message string                 `json:"message,omitempty"`
	Causes  []string               `json:"causes,omitempty"`
}

// apply runs the steps one after the other, as the API server's handlers would call the field manager.
func apply(c patchCase) (json.RawMessage, error) {
	types, err := typeConverter(c.Schemas)
	if err != nil {
		return nil, err
	}
	var live map[string]interface{}
	results := []stepResult{}
	for index, s := range c.Steps {
		if c.LaterSchemas != nil && index == c.LaterFrom {
			if types, err = typeConverter(c.LaterSchemas); err != nil {
				return nil, err
			}
		}
		next, err := write(types, c.Schemas, live, s)
		if err != nil {
			results = append(results, failure(err))
			continue
		}
		live = settle(next.Object, index)
		results = append(results, stepResult{Object: live})
	}
	return json.Marshal(results)
}

func write(types managedfields.TypeConverter, served map[string]json.RawMessage, live map[string]interface{}, s step) (*unstructured.Unstructured, error) {
	version := schema.GroupVersion{Group: group, Version: s.Version}
	converter := versions{served: served}
	reset := map[string]string{"": "status", "status": "spec"}[s.Subresource]
	manager, err := managedfields.NewDefaultCRDFieldManager(types, converter, converter, converter,
		version.WithKind(kind), schema.GroupVersion{Group: group, Version: hub}, s.Subresource,
		fieldpath.NewExcludeFilterSetMap(map[fieldpath.APIVersion]*fieldpath.Set{
			group + "/v1": fieldpath.NewSet(fieldpath.MakePathOrDie(reset)),
			group + "/v2": fieldpath.NewSet(fieldpath.MakePathOrDie(reset)),
		}))
	if err != nil {
		return nil, err
	}
	current := &unstructured.Unstructured{Object: map[string]interface{}{}}
	current.SetGroupVersionKind(version.WithKind(kind))
	if live != nil {
		converted, err := converter.ConvertToVersion(&unstructured.Unstructured{Object: runtime.DeepCopyJSON(live)}, version)
		if err != nil {
			return nil, err
		}
		current = converted.(*unstructured.Unstructured)
	}
	written, err := writeWith(manager, current, s)
	if err != nil {
		return nil, err
	}
	stored, err := converter.ConvertToVersion(written, schema.GroupVersion{Group: group, Version: hub})
	if err != nil {
		return nil, err
	}
	return stored.(*unstructured.Unstructured), nil
}

func writeWith(manager *managedfields.FieldManager, current *unstructured.Unstructured, s step) (runtime.Object, error) {
	if s.Operation == "apply" {
		config := map[string]interface{}{}
		if err := utiljson.Unmarshal(s.Config, &config); err != nil {
			return nil, err
		}
		return manager.Apply(current, &unstructured.Unstructured{Object: config}, s.Manager, s.Force)
	}
	encoded, err := json.Marshal(current.Object)
	if err != nil {
		return nil, err
	}
	patched, err := jsonpatch.MergePatch(encoded, s.Patch)
	if err != nil {
		return nil, err
	}
	object := map[string]interface{}{}
	if err := utiljson.Unmarshal(patched, &object); err != nil {
		return nil, err
	}
	return manager.UpdateNoErrors(current, &unstructured.Unstructured{Object: object}, s.Manager), nil
}

// settle gives the object a uid, as storage does, and puts the number of the step in place of the wall clock.
func settle(object map[string]interface{}, index int) map[string]interface{} {
	result := &unstructured.Unstructured{Object: object}
	if result.GetUID() == "" {
		result.SetUID("uid-1")
	}
	entries, _, _ := unstructured.NestedSlice(object, "metadata", "managedFields")
	for _, entry := range entries {
		fields := entry.(map[string]interface{})
		if time, ok := fields["time"].(string); ok && !strings.HasPrefix(time, dayZero) {
			fields["time"] = fmt.Sprintf("%s%02dZ", dayZero, index)
		}
	}
	sort.SliceStable(entries, func(i, j int) bool { return sortKey(entries[i]) < sortKey(entries[j]) })
	if len(entries) > 0 {
		unstructured.SetNestedSlice(object, entries, "metadata", "managedFields")
	}
	return object
}

func sortKey(entry interface{}) string {
	fields := entry.(map[string]interface{})
	parts := []string{}
	for _, name := range []string{"operation", "time", "manager", "apiVersion", "subresource"} {
		text, _ := fields[name].(string)
		parts = append(parts, text)
	}
	return strings.Join(parts, "\x00")
}

func failure(err error) stepResult {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return stepResult{Code: 500, Message: err.Error()}
	}
	result := stepResult{Code: status.Status().Code, Message: status.Status().Message}
	if details := status.Status().Details; details != nil {
		for _, cause := range details.Causes {
			result.Causes = append(result.Causes, fmt.Sprintf("%s %s %s", cause.Type, cause.Message, cause.Field))
		}
	}
	sort.Strings(result.Causes)
	return result
}

func typeConverter(schemas map[string]json.RawMessage) (managedfields.TypeConverter, error) {
	definitions := map[string]*spec.Schema{}
	for name, raw := range schemas {
		definition := &spec.Schema{}
		if err := json.Unmarshal(raw, definition); err != nil {
			return nil, err
		}
		if name == "v1" || name == "v2" {
			definition.AddExtension("x-kubernetes-group-version-kind", []interface{}{
				map[string]interface{}{"group": group, "version": name, "kind": kind},
			})
		}
		definitions[name] = definition
	}
	return managedfields.NewTypeConverter(definitions, false)
}

// versions converts between the two versions of the test kind: spec.size of v1 is spec.count of v2.
type versions struct{ served map[string]json.RawMessage }

var _ runtime.ObjectConvertor = versions{}

func (v versions) ConvertToVersion(in runtime.Object, target runtime.GroupVersioner) (runtime.Object, error) {
	object := in.(*unstructured.Unstructured)
	from := object.GroupVersionKind()
	to, ok := target.KindForGroupVersionKinds([]schema.GroupVersionKind{from})
	if !ok || v.served[to.Version] == nil || to.Group != group {
		return nil, runtime.NewNotRegisteredErrForKind("oracle", to)
	}
	if from.Version == to.Version {
		return object, nil
	}
	converted := object.DeepCopy()
	converted.SetGroupVersionKind(to)
	names := map[string]string{"v1": "size", "v2": "count"}
	if spec, ok := converted.Object["spec"].(map[string]interface{}); ok {
		if value, ok := spec[names[from.Version]]; ok {
			delete(spec, names[from.Version])
			spec[names[to.Version]] = value
		}
	}
	return converted, nil
}

func (v versions) Convert(in, out, context interface{}) error { return errors.New("not used") }

func (v versions) ConvertFieldLabel(gvk schema.GroupVersionKind, label, value string) (string, string, error) {
	return "", "", errors.New("not used")
}

func (v versions) Default(in runtime.Object) {}

func (v versions) New(gvk schema.GroupVersionKind) (runtime.Object, error) {
	return &unstructured.Unstructured{Object: map[string]interface{}{}}, nil
}
