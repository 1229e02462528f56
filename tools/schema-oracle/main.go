// schema-oracle answers what Kubernetes' own libraries make of a case: one JSON case per line on stdin, one JSON
// answer per line on stdout. record.ts beside it turns corpora into the golden files of packages/core/src/engine.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"

	celgo "github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
	"k8s.io/apiserver/pkg/warning"
)

// testCase is one question. Expr alone asks for the value of an expression; otherwise Object is handled as the API
// server handles a custom resource (an update when Old is there).
type testCase struct {
	Schema json.RawMessage `json:"schema,omitempty"`
	Object json.RawMessage `json:"object,omitempty"`
	Old    json.RawMessage `json:"old,omitempty"`
	Expr   string          `json:"expr,omitempty"`
}

type fieldError struct {
	Type    string `json:"type"`
	Field   string `json:"field"`
	Message string `json:"message"`
}

type answer struct {
	Error         string       `json:"error,omitempty"`
	Pruned        []string     `json:"pruned,omitempty"`
	Defaulted     interface{}  `json:"defaulted,omitempty"`
	Errors        []fieldError `json:"errors"`
	Warnings      []string     `json:"warnings,omitempty"`
	CompileErrors []string     `json:"compileErrors,omitempty"`
	Value         string       `json:"value,omitempty"`
	Type          string       `json:"type,omitempty"`
	Cost          uint64       `json:"cost,omitempty"`
	Estimate      uint64       `json:"estimate,omitempty"`
}

func main() {
	scanner := bufio.NewScanner(os.Stdin)
	scanner.Buffer(nil, 1<<26)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for scanner.Scan() {
		if err := out.Encode(answerLine(scanner.Bytes())); err != nil {
			panic(err)
		}
	}
}

func answerLine(line []byte) (result answer) {
	defer func() {
		if r := recover(); r != nil {
			result = answer{Error: fmt.Sprintf("panic: %v", r)}
		}
	}()
	var c testCase
	if err := json.Unmarshal(line, &c); err != nil {
		return answer{Error: err.Error()}
	}
	structural, internal, err := parseSchema(c.Schema)
	if err != nil {
		return answer{Error: err.Error()}
	}
	if c.Expr != "" {
		return evaluate(c, structural)
	}
	return handle(c, structural, internal)
}

func parseSchema(raw json.RawMessage) (*schema.Structural, *apiextensions.JSONSchemaProps, error) {
	if raw == nil {
		return nil, nil, nil
	}
	var v1 apiextensionsv1.JSONSchemaProps
	if err := json.Unmarshal(raw, &v1); err != nil {
		return nil, nil, err
	}
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&v1, &internal, nil); err != nil {
		return nil, nil, err
	}
	structural, err := schema.NewStructural(&internal)
	return structural, &internal, err
}

func decode(raw json.RawMessage) map[string]interface{} {
	if raw == nil {
		return nil
	}
	var value map[string]interface{}
	if err := utiljson.Unmarshal(raw, &value); err != nil {
		panic(err)
	}
	return value
}

func settle(raw json.RawMessage, s *schema.Structural) (map[string]interface{}, []string) {
	object := decode(raw)
	if object == nil {
		return nil, nil
	}
	pruned := pruning.PruneWithOptions(object, s, true, schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	defaulting.PruneNonNullableNullsWithoutDefaults(object, s)
	defaulting.Default(object, s)
	return object, pruned
}

type recorder struct{ warnings []string }

func (r *recorder) AddWarning(_, text string) { r.warnings = append(r.warnings, text) }

func handle(c testCase, s *schema.Structural, internal *apiextensions.JSONSchemaProps) answer {
	object, pruned := settle(c.Object, s)
	old, _ := settle(c.Old, s)
	validator, _, err := validation.NewSchemaValidator(internal)
	if err != nil {
		return answer{Error: err.Error()}
	}
	recorded := &recorder{}
	ctx := warning.WithWarningRecorder(context.Background(), recorded)
	defaulted := runtime.DeepCopyJSONValue(object)
	errs := validateAll(ctx, object, old, s, validator)
	sort.Strings(recorded.warnings)
	return answer{
		Pruned: pruned, Defaulted: defaulted, Errors: toFieldErrors(errs),
		Warnings: recorded.warnings, CompileErrors: compileErrors(s, true, ""),
	}
}

func validateAll(ctx context.Context, object, old map[string]interface{}, s *schema.Structural, validator validation.SchemaValidator) field.ErrorList {
	var errs field.ErrorList
	var celOptions []cel.Option
	var oldValue interface{}
	if old == nil {
		errs = validation.ValidateCustomResource(nil, object, validator)
	} else {
		oldValue = old
		correlated := common.NewCorrelatedObject(object, old, &model.Structural{Structural: s})
		errs = validation.ValidateCustomResourceUpdate(nil, object, old, validator, validation.WithRatcheting(correlated))
		celOptions = append(celOptions, cel.WithRatcheting(correlated))
	}
	errs = append(errs, objectmeta.Validate(nil, object, s, false)...)
	if old == nil || len(listtype.ValidateListSetsAndMaps(nil, s, old)) == 0 {
		errs = append(errs, listtype.ValidateListSetsAndMaps(nil, s, object)...)
	}
	celValidator := cel.NewValidator(s, true, celconfig.PerCallLimit)
	if celValidator == nil {
		return errs
	}
	for _, err := range errs {
		switch err.Type {
		case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany, field.ErrorTypeTypeInvalid:
			return append(errs, field.Invalid(nil, nil, "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"))
		}
	}
	celErrs, _ := celValidator.Validate(ctx, nil, s, object, oldValue, celconfig.RuntimeCELCostBudget, celOptions...)
	return append(errs, celErrs...)
}

func toFieldErrors(errs field.ErrorList) []fieldError {
	list := []fieldError{}
	for _, err := range errs {
		list = append(list, fieldError{Type: string(err.Type), Field: err.Field, Message: hideTypeName(err.ErrorBody())})
	}
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i], list[j]
		return a.Field < b.Field || (a.Field == b.Field && a.Message < b.Message)
	})
	return list
}

// compileErrors lists `path|rule index|what` for every rule of the schema that does not compile.
func compileErrors(s *schema.Structural, root bool, path string) []string {
	var found []string
	if len(s.XValidations) > 0 {
		results, err := cel.Compile(s, model.SchemaDeclType(s, root), celconfig.PerCallLimit, environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()), cel.NewExpressionsEnvLoader())
		if err != nil {
			found = append(found, path+"|"+err.Error())
		}
		for i, result := range results {
			if result.Error != nil {
				found = append(found, fmt.Sprintf("%s|%d|%s", path, i, hideTypeName(result.Error.Detail)))
			}
			if result.MessageExpressionError != nil {
				found = append(found, fmt.Sprintf("%s|%d|%s", path, i, hideTypeName(result.MessageExpressionError.Detail)))
			}
		}
	}
	names := make([]string, 0, len(s.Properties))
	for name := range s.Properties {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		property := s.Properties[name]
		found = append(found, compileErrors(&property, property.XEmbeddedResource, path+"."+name)...)
	}
	if s.Items != nil {
		found = append(found, compileErrors(s.Items, s.Items.XEmbeddedResource, path+"[]")...)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Structural != nil {
		found = append(found, compileErrors(s.AdditionalProperties.Structural, s.AdditionalProperties.Structural.XEmbeddedResource, path+"[*]")...)
	}
	return found
}

// hideTypeName removes the random part of "selfType12345".
func hideTypeName(text string) string {
	var out strings.Builder
	for {
		i := strings.Index(text, "selfType")
		if i < 0 {
			out.WriteString(text)
			return out.String()
		}
		end := i + len("selfType")
		out.WriteString(text[:end])
		for end < len(text) && text[end] >= '0' && text[end] <= '9' {
			end++
		}
		text = text[end:]
	}
}

func evaluate(c testCase, s *schema.Structural) answer {
	envSet := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	selfType := celgo.DynType
	options := environment.VersionedOptions{IntroducedVersion: environment.DefaultCompatibilityVersion()}
	sizes := &sizesOfSelf{}
	if s != nil {
		sizes.self = model.SchemaDeclType(s, false)
		declType := sizes.self.MaybeAssignTypeName("selfType")
		selfType = declType.CelType()
		options.DeclTypes = append(options.DeclTypes, declType)
	}
	options.EnvOptions = append(options.EnvOptions, celgo.Variable("self", selfType))
	extended, err := envSet.Extend(options)
	if err != nil {
		return answer{Error: err.Error()}
	}
	env := extended.NewExpressionsEnv()
	ast, issues := env.Compile(c.Expr)
	if issues != nil {
		return answer{CompileErrors: []string{hideTypeName(issues.String())}}
	}
	result := answer{Type: ast.OutputType().String()}
	if sizes.self != nil {
		estimate, err := env.EstimateCost(ast, &library.CostEstimator{SizeEstimator: sizes})
		if err != nil {
			return answer{Error: err.Error()}
		}
		result.Estimate = estimate.Max
	}
	estimator := &library.CostEstimator{}
	program, err := env.Program(ast, celgo.CostLimit(celconfig.PerCallLimit), celgo.CostTracking(estimator), celgo.InterruptCheckFrequency(celconfig.CheckFrequency))
	if err != nil {
		return answer{Error: err.Error(), Estimate: result.Estimate}
	}
	var self interface{}
	if c.Object != nil {
		if err := utiljson.Unmarshal(c.Object, &self); err != nil {
			var list []interface{}
			if err := utiljson.Unmarshal(c.Object, &list); err != nil {
				return answer{Error: err.Error()}
			}
			self = list
		}
	}
	if s != nil {
		self = cel.UnstructuredToVal(self, s)
	}
	value, details, err := program.ContextEval(context.Background(), map[string]interface{}{"self": self})
	if details != nil && details.ActualCost() != nil {
		result.Cost = *details.ActualCost()
	}
	if err != nil {
		result.Error = err.Error()
		return result
	}
	result.Value = show(value)
	return result
}

// sizesOfSelf knows how large the parts of self can be, by its schema.
type sizesOfSelf struct{ self *apiservercel.DeclType }

func (s *sizesOfSelf) EstimateSize(node checker.AstNode) *checker.SizeEstimate {
	if len(node.Path()) == 0 {
		return nil
	}
	part := s.self
	for _, step := range node.Path()[1:] {
		if part = below(part, step); part == nil {
			return nil
		}
	}
	return &checker.SizeEstimate{Max: uint64(part.MaxElements)}
}

func (s *sizesOfSelf) EstimateCallCost(_, _ string, _ *checker.AstNode, _ []checker.AstNode) *checker.CallEstimate {
	return nil
}

func below(part *apiservercel.DeclType, step string) *apiservercel.DeclType {
	switch step {
	case "@items", "@values":
		return part.ElemType
	case "@keys":
		return part.KeyType
	}
	if field, found := part.Fields[step]; found {
		return field.Type
	}
	return nil
}

// show prints a CEL value so that another implementation can print the same: type(value), maps sorted by key.
func show(value ref.Val) string {
	switch v := value.(type) {
	case traits.Mapper:
		var entries []string
		for it := v.Iterator(); it.HasNext() == types.True; {
			key := it.Next()
			entries = append(entries, show(key)+": "+show(v.Get(key)))
		}
		sort.Strings(entries)
		return "{" + strings.Join(entries, ", ") + "}"
	case traits.Lister:
		var items []string
		for it := v.Iterator(); it.HasNext() == types.True; {
			items = append(items, show(it.Next()))
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	if optional, ok := value.(interface {
		HasValue() bool
		GetValue() ref.Val
	}); ok {
		if !optional.HasValue() {
			return "optional.none()"
		}
		return "optional.of(" + show(optional.GetValue()) + ")"
	}
	name := value.Type().TypeName()
	native := value.Value()
	switch n := native.(type) {
	case string:
		text, _ := json.Marshal(n)
		return name + "(" + string(text) + ")"
	case []byte:
		return fmt.Sprintf("%s(%x)", name, n)
	case fmt.Stringer:
		return name + "(" + n.String() + ")"
	}
	if reflect.ValueOf(native).Kind() == reflect.Ptr {
		return name
	}
	return fmt.Sprintf("%s(%v)", name, native)
}
