// Command facts prints, as JSON, what only the Go types of the Kubernetes API know: the order of fields, their protobuf
// numbers, and which of them Go leaves out when they are empty. The TypeScript generator beside it reads that. With the
// argument "goldens" it prints sample objects as Go encodes them, which the tests of the decoder compare with.
package main

import (
	"encoding/json"
	"os"
	"reflect"
	"sort"
	"strconv"
	"strings"
)

// Kind says which Go type a kind of object has.
type Kind struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
	Type    string `json:"type"`
}

// Field is one field of a struct, as it appears in JSON and in protobuf.
type Field struct {
	// Name in JSON; empty for an inlined struct.
	Name string `json:"name"`
	// Number in protobuf; 0 for fields that protobuf does not have.
	Number int `json:"number"`
	// Type as a Go type expression over scalars and full names of structs.
	Type string `json:"type"`
	// Omit is "empty" or "zero" as in the json tag, else "never".
	Omit string `json:"omit"`
}

// Facts is everything that is printed.
type Facts struct {
	Kinds []Kind             `json:"kinds"`
	Types map[string][]Field `json:"types"`
}

func main() {
	run := printFacts
	if len(os.Args) > 1 && os.Args[1] == "goldens" {
		run = printGoldens
	}
	if err := run(); err != nil {
		panic(err)
	}
}

func printFacts() error {
	facts := Facts{Types: map[string][]Field{}}
	for gvk, goType := range newScheme().AllKnownTypes() {
		if gvk.Version == "__internal" || isOption(goType) || isList(goType) {
			continue
		}
		facts.Kinds = append(facts.Kinds, Kind{gvk.Group, gvk.Version, gvk.Kind, facts.describe(goType)})
	}
	sort.Slice(facts.Kinds, func(a, b int) bool { return sortKey(facts.Kinds[a]) < sortKey(facts.Kinds[b]) })
	return json.NewEncoder(os.Stdout).Encode(facts)
}

func sortKey(kind Kind) string { return kind.Group + "/" + kind.Version + "/" + kind.Kind }

// isOption is true for what never is a request body: query parameters, and what every group version has registered.
func isOption(goType reflect.Type) bool {
	isMeta := strings.HasSuffix(goType.PkgPath(), "meta/v1")
	return goType.Name() != "DeleteOptions" && (isMeta || strings.HasSuffix(goType.Name(), "Options"))
}

func isList(goType reflect.Type) bool {
	_, hasItems := goType.FieldByName("Items")
	return hasItems && strings.HasSuffix(goType.Name(), "List")
}

// describe adds a struct and all it refers to, and returns its name.
func (facts *Facts) describe(goType reflect.Type) string {
	name := goType.PkgPath() + "." + goType.Name()
	if _, known := facts.Types[name]; known || isSpecial(name) {
		return name
	}
	facts.Types[name] = []Field{} // stops the recursion of JSONSchemaProps
	fields := []Field{}
	for index := range goType.NumField() {
		if field, ok := facts.field(goType.Field(index)); ok {
			fields = append(fields, field)
		}
	}
	facts.Types[name] = fields
	return name
}

func (facts *Facts) field(field reflect.StructField) (Field, bool) {
	name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
	if name == "-" || !field.IsExported() {
		return Field{}, false
	}
	omit := "never"
	switch {
	case strings.Contains(options, "omitzero"):
		omit = "zero"
	case strings.Contains(options, "omitempty"):
		omit = "empty"
	}
	return Field{name, protobufNumber(field), facts.expression(field.Type), omit}, true
}

func protobufNumber(field reflect.StructField) int {
	parts := strings.Split(field.Tag.Get("protobuf"), ",")
	if len(parts) < 2 {
		return 0
	}
	number, err := strconv.Atoi(parts[1])
	if err != nil {
		panic(err)
	}
	return number
}

// expression writes a type down: "*int32", "[]k8s.io/api/core/v1.Container", "map[string]bytes".
func (facts *Facts) expression(goType reflect.Type) string {
	switch goType.Kind() {
	case reflect.Pointer:
		return "*" + facts.expression(goType.Elem())
	case reflect.Slice:
		if goType.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
		return wrapped(goType) + "[]" + facts.expression(goType.Elem())
	case reflect.Map:
		return "map[" + facts.expression(goType.Key()) + "]" + facts.expression(goType.Elem())
	case reflect.Struct:
		return facts.describe(goType)
	default:
		return goType.Kind().String()
	}
}

// wrapped marks named lists that are a message of their own in protobuf (ExtraValue): "message[]string".
func wrapped(goType reflect.Type) string {
	if _, isMessage := goType.MethodByName("Marshal"); isMessage {
		return "message"
	}
	return ""
}

// isSpecial is true for structs whose JSON is not that of their fields.
func isSpecial(name string) bool {
	switch name[strings.LastIndex(name, "/")+1:] {
	case "resource.Quantity", "intstr.IntOrString", "runtime.RawExtension",
		"v1.Time", "v1.MicroTime", "v1.FieldsV1",
		"v1.JSON", "v1.JSONSchemaPropsOrArray", "v1.JSONSchemaPropsOrBool", "v1.JSONSchemaPropsOrStringArray":
		return true
	}
	return false
}
