package main

import (
	"bytes"
	"encoding/json"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	serializerjson "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
)

// Golden is one object in both encodings, as Go writes them.
type Golden struct {
	// Input is the object as somebody wrote it.
	Input json.RawMessage `json:"input"`
	// JSON is what Go makes of it.
	JSON json.RawMessage `json:"json"`
	// Protobuf is a request body, with its envelope.
	Protobuf []byte `json:"protobuf"`
	// Decoded is the JSON of what Go reads from Protobuf, where it is not JSON: empty lists are lost on that way.
	Decoded json.RawMessage `json:"decoded,omitempty"`
}

// printGoldens reads a JSON list of objects from standard input and prints them in both encodings.
func printGoldens() error {
	var samples []json.RawMessage
	if err := json.NewDecoder(os.Stdin).Decode(&samples); err != nil {
		return err
	}
	scheme := newScheme()
	goldens := []Golden{}
	for _, sample := range samples {
		golden, err := encode(scheme, sample)
		if err != nil {
			return err
		}
		goldens = append(goldens, golden)
	}
	return json.NewEncoder(os.Stdout).Encode(goldens)
}

func encode(scheme *runtime.Scheme, sample json.RawMessage) (Golden, error) {
	options := serializerjson.SerializerOptions{Strict: true}
	reader := serializerjson.NewSerializerWithOptions(serializerjson.DefaultMetaFactory, scheme, scheme, options)
	object, _, err := reader.Decode(sample, nil, nil)
	if err != nil {
		return Golden{}, err
	}
	golden := Golden{Input: sample}
	if golden.JSON, err = json.Marshal(object); err != nil {
		return Golden{}, err
	}
	golden.Protobuf, golden.Decoded, err = roundTrip(scheme, object)
	if bytes.Equal(golden.JSON, golden.Decoded) {
		golden.Decoded = nil
	}
	return golden, err
}

// roundTrip encodes an object as protobuf, and gives the JSON of what is read back.
func roundTrip(scheme *runtime.Scheme, object runtime.Object) ([]byte, json.RawMessage, error) {
	serializer := protobuf.NewSerializer(scheme, scheme)
	var body bytes.Buffer
	if err := serializer.Encode(object, &body); err != nil {
		return nil, nil, err
	}
	decoded, kind, err := serializer.Decode(body.Bytes(), nil, nil)
	if err != nil {
		return nil, nil, err
	}
	decoded.GetObjectKind().SetGroupVersionKind(*kind)
	text, err := json.Marshal(decoded)
	return body.Bytes(), text, err
}
