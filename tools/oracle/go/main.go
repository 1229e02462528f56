// Command oracle answers patch cases with Kubernetes' own Go libraries. It reads one case per line from standard input and
// writes one line per case: the distinct outcomes of a few runs, because some of those libraries iterate over Go maps and
// so leave an order open. run.ts beside it makes the cases and compares the answers.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

type patchCase struct {
	Kind     string                     `json:"kind"`
	Document json.RawMessage            `json:"document"`
	Patch    json.RawMessage            `json:"patch"`
	Schema   json.RawMessage            `json:"schema"`
	Schemas  map[string]json.RawMessage `json:"schemas"`
	Steps    []step                     `json:"steps"`
	// The schemas from step LaterFrom on, when they change on the way.
	LaterSchemas map[string]json.RawMessage `json:"laterSchemas"`
	LaterFrom    int                        `json:"laterFrom"`
}

type outcome struct {
	Value json.RawMessage `json:"value,omitempty"`
	Error string          `json:"error,omitempty"`
	Panic string          `json:"panic,omitempty"`
}

type answer struct {
	Outcomes []outcome `json:"outcomes"`
}

// runsOf says how often a kind of case is run to see the orders that Go leaves open.
var runsOf = map[string]int{"json-patch": 1, "merge-patch": 1, "create-merge-patch": 1, "strategic": 4, "apply": 3, "scale": 3}

const runsOfErrors = 16

func main() {
	reader := bufio.NewReaderSize(os.Stdin, 1<<20)
	writer := bufio.NewWriter(os.Stdout)
	defer writer.Flush()
	for {
		line, err := reader.ReadBytes('\n')
		if len(line) > 0 {
			encoded, encodeErr := json.Marshal(answerTo(line))
			if encodeErr != nil {
				panic(encodeErr)
			}
			writer.Write(encoded)
			writer.WriteByte('\n')
		}
		if err != nil {
			return
		}
	}
}

func answerTo(line []byte) answer {
	var result answer
	seen := map[string]bool{}
	runs := runsOf[kindOf(line)]
	for run := 0; run < runs; run++ {
		one := runOnce(line)
		if one.Error != "" && runs > 1 {
			runs = runsOfErrors // Which of several mistakes is told depends most on the order.
		}
		key := fmt.Sprintf("%s|%s|%s", one.Value, one.Error, one.Panic)
		if !seen[key] {
			seen[key] = true
			result.Outcomes = append(result.Outcomes, one)
		}
	}
	return result
}

func kindOf(line []byte) string {
	var probe struct {
		Kind string `json:"kind"`
	}
	if err := json.Unmarshal(line, &probe); err != nil {
		panic(err)
	}
	return probe.Kind
}

func runOnce(line []byte) (result outcome) {
	defer func() {
		if r := recover(); r != nil {
			result = outcome{Panic: fmt.Sprint(r)}
		}
	}()
	var c patchCase
	if err := json.Unmarshal(line, &c); err != nil {
		panic(err)
	}
	value, err := answerCase(c)
	if err != nil {
		return outcome{Error: err.Error()}
	}
	return outcome{Value: value}
}

func answerCase(c patchCase) (json.RawMessage, error) {
	switch c.Kind {
	case "json-patch":
		return jsonPatch(c)
	case "merge-patch":
		return mergePatch(c)
	case "create-merge-patch":
		return createMergePatch(c)
	case "strategic":
		return strategic(c)
	case "apply":
		return apply(c)
	case "scale":
		return scale(c)
	}
	return nil, fmt.Errorf("unknown kind of case %q", c.Kind)
}
