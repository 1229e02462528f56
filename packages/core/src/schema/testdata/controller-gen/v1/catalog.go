package v1

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// +kubebuilder:object:root=true
type Catalog struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	// +required
	Spec CatalogSpec `json:"spec"`
}

type CatalogSpec struct {
	Numbers  Numbers  `json:"numbers"`
	Texts    Texts    `json:"texts"`
	Lists    Lists    `json:"lists"`
	Maps     Maps     `json:"maps"`
	Rules    Rules    `json:"rules"`
	Unions   Unions   `json:"unions"`
	Opaque   Opaque   `json:"opaque"`
	Presence Presence `json:"presence"`
}

type Numbers struct {
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=10
	Bounded int32 `json:"bounded"`
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:ExclusiveMinimum=true
	// +kubebuilder:validation:Maximum=10
	// +kubebuilder:validation:ExclusiveMaximum=true
	Open int32 `json:"open"`
	// +kubebuilder:validation:MultipleOf=5
	Fives int32 `json:"fives"`
	Long  int64 `json:"long"`
	// +kubebuilder:validation:Format=double
	Double float64 `json:"double"`
	// +kubebuilder:validation:Format=float
	Float float64 `json:"float"`
	// +kubebuilder:validation:Enum=1;2;3
	Choice int32 `json:"choice"`
	// +k8s:minimum=2
	// +k8s:maximum=4
	Native int32 `json:"native"`
}

type Texts struct {
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:Pattern=`^[a-z]+$`
	Name string `json:"name"`
	// +kubebuilder:validation:Enum=Allow;Deny
	Mode string `json:"mode"`
	// +kubebuilder:validation:Format=ipv4
	Address string `json:"address"`
	// +kubebuilder:validation:Format=email
	Email string `json:"email"`
	// +kubebuilder:validation:Format=uri
	Link string `json:"link"`
	// +kubebuilder:validation:Format=uuid
	ID string `json:"id"`
	// +kubebuilder:validation:Format=duration
	Timeout string      `json:"timeout"`
	At      metav1.Time `json:"at"`
	// +kubebuilder:validation:Format=date
	Day string `json:"day"`
	// +kubebuilder:validation:Format=cidr
	Network string `json:"network"`
	Data    []byte `json:"data"`
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MinLength=2
	Typed Opaque2 `json:"typed"`
}

type Opaque2 string

type Lists struct {
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=3
	Sized []string `json:"sized"`
	// +listType=set
	Set []string `json:"set"`
	// +listType=atomic
	Atomic []string `json:"atomic"`
	// +listType=map
	// +listMapKey=name
	// +listMapKey=protocol
	Ports []Port `json:"ports"`
	// +kubebuilder:validation:items:MinLength=2
	// +kubebuilder:validation:items:Pattern=`^x`
	Words []string `json:"words"`
	// +kubebuilder:validation:items:Minimum=0
	// +kubebuilder:validation:items:Maximum=9
	Digits []int32 `json:"digits"`
	// +k8s:maxItems=2
	Few []string `json:"few"`
}

type Port struct {
	Name string `json:"name"`
	// +kubebuilder:default=TCP
	Protocol string `json:"protocol,omitempty"`
	Number   int32  `json:"number,omitempty"`
}

type Maps struct {
	// +kubebuilder:validation:MinProperties=1
	// +kubebuilder:validation:MaxProperties=5
	Labels map[string]string `json:"labels"`
	// +mapType=atomic
	Whole map[string]string `json:"whole"`
	// +structType=atomic
	Pair Pair `json:"pair"`
}

type Pair struct {
	Left  string `json:"left,omitempty"`
	Right string `json:"right,omitempty"`
}

// +kubebuilder:validation:XValidation:rule="self.low <= self.high",message="low exceeds high",reason=FieldValueForbidden,fieldPath=".low"
// +kubebuilder:validation:XValidation:rule="self.high < 100",messageExpression="'high is ' + string(self.high)"
type Rules struct {
	Low  int32 `json:"low"`
	High int32 `json:"high"`
	// +kubebuilder:validation:XValidation:rule="!oldSelf.hasValue() || self == oldSelf.value()",optionalOldSelf=true
	Frozen string `json:"frozen"`
	// +k8s:immutable
	Fixed string `json:"fixed"`
	// +kubebuilder:validation:items:XValidation:rule="self != 'no'"
	Items []string `json:"items"`
}

type Unions struct {
	AtMost  AtMost  `json:"atMost"`
	Exactly Exactly `json:"exactly"`
	AtLeast AtLeast `json:"atLeast"`
}

// +kubebuilder:validation:AtMostOneOf=a;b
type AtMost struct {
	A string `json:"a,omitempty"`
	B string `json:"b,omitempty"`
}

// +kubebuilder:validation:ExactlyOneOf=a;b
type Exactly struct {
	A string `json:"a,omitempty"`
	B string `json:"b,omitempty"`
}

// +kubebuilder:validation:AtLeastOneOf=a;b
type AtLeast struct {
	A string `json:"a,omitempty"`
	B string `json:"b,omitempty"`
}

type Opaque struct {
	Port   intstr.IntOrString `json:"port"`
	Memory resource.Quantity  `json:"memory"`
	// +kubebuilder:validation:EmbeddedResource
	// +kubebuilder:pruning:PreserveUnknownFields
	Template runtime.RawExtension `json:"template"`
	Anything apiextensionsv1.JSON `json:"anything"`
	// +kubebuilder:pruning:PreserveUnknownFields
	Partly Pair `json:"partly"`
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Schemaless Pair `json:"schemaless"`
}

type Presence struct {
	// +optional
	Optional string `json:"optional,omitempty"`
	// +required
	Required string `json:"required"`
	// +nullable
	Nullable *string `json:"nullable"`
	// +kubebuilder:default=fine
	Defaulted string `json:"defaulted,omitempty"`
	// +kubebuilder:default={left: "l"}
	Object Pair `json:"object,omitempty"`
	// +kubebuilder:example=some
	Example string `json:"example"`
	// +kubebuilder:title="A title"
	Titled string `json:"titled"`
	// +kubebuilder:externalDocs:url="https://example.com/docs",description="more"
	Documented string `json:"documented"`
}
