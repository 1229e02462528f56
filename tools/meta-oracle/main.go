// Command meta-oracle writes random texts and what Kubernetes makes of them, one JSON object per line: quantities,
// label selectors, durations. The same seed gives the same lines. record.ts beside it makes golden files of them.
//
//	meta-oracle quantities|selectors|durations|duration-texts SEED COUNT
package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/duration"
)

type quantityCase struct {
	Input      string `json:"input"`
	Error      string `json:"error,omitempty"`
	Canonical  string `json:"canonical,omitempty"`
	Format     string `json:"format,omitempty"`
	Other      string `json:"other,omitempty"`
	Comparison int    `json:"comparison"`
	Sum        string `json:"sum,omitempty"`
	Difference string `json:"difference,omitempty"`
	Factor     int64  `json:"factor"`
	Product    string `json:"product,omitempty"`
	Negated    string `json:"negated,omitempty"`
}

type textCase struct {
	Input  string `json:"input"`
	Error  string `json:"error,omitempty"`
	Output string `json:"output"`
}

type durationCase struct {
	Nanoseconds string `json:"nanoseconds"`
	Text        string `json:"text"`
	Age         string `json:"age"`
	ShortAge    string `json:"shortAge"`
}

func pick[Item any](random *rand.Rand, items ...Item) Item {
	return items[random.Intn(len(items))]
}

func digits(random *rand.Rand, length int) string {
	text := ""
	for range length {
		text += pick(random, "0", "0", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9")
	}
	return text
}

func quantityText(random *rand.Rand) string {
	text := pick(random, "", "", "", "", "-", "+")
	text += digits(random, pick(random, 0, 1, 1, 2, 3, 4, 6, 10, 17, 19, 22))
	if random.Intn(3) == 0 {
		text += "." + digits(random, pick(random, 0, 1, 2, 3, 5, 9, 10, 14, 20))
	}
	return text + pick(random, "", "", "n", "u", "m", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei",
		"e3", "E3", "e-3", "e+6", "e2", "e03", "e-12", "e30", "K", "i", "ki", "e", "ee3", "m3", " ", "x", "1e5m")
}

func randomQuantity(random *rand.Rand) quantityCase {
	input := quantityText(random)
	quantity, err := resource.ParseQuantity(input)
	if err != nil {
		return quantityCase{Input: input, Error: err.Error()}
	}
	var otherText string
	var other resource.Quantity
	for otherText == "" || err != nil {
		otherText = quantityText(random)
		other, err = resource.ParseQuantity(otherText)
	}
	factor := int64(random.Intn(2000) - 1000)
	sum, difference, product, negated := quantity.DeepCopy(), quantity.DeepCopy(), quantity.DeepCopy(), quantity.DeepCopy()
	sum.Add(other)
	difference.Sub(other)
	product.Mul(factor)
	negated.Neg()
	return quantityCase{
		Input: input, Canonical: quantity.String(), Format: string(quantity.Format), Other: otherText,
		Comparison: quantity.Cmp(other), Sum: sum.String(), Difference: difference.String(),
		Factor: factor, Product: product.String(), Negated: negated.String(),
	}
}

func randomSelector(random *rand.Rand) textCase {
	input := ""
	for range 1 + random.Intn(9) {
		input += pick(random, "a", "b", "in", "notin", "(", ")", ",", "=", "==", "!=", "!", ">", "<", "1", "-x", "x/y", "a/b/c", "$")
		input += pick(random, "", "", " ")
	}
	selector, err := labels.Parse(input)
	if err != nil {
		return textCase{Input: input, Error: err.Error()}
	}
	return textCase{Input: input, Output: selector.String()}
}

func randomDuration(random *rand.Rand) durationCase {
	span := time.Duration(random.Int63n(int64(1) << uint(10+random.Intn(53))))
	if random.Intn(8) == 0 {
		span = -span
	}
	if random.Intn(3) == 0 {
		span = span.Truncate(time.Second)
	}
	return durationCase{fmt.Sprint(int64(span)), span.String(), duration.HumanDuration(span), duration.ShortHumanDuration(span)}
}

func randomDurationText(random *rand.Rand) textCase {
	input := ""
	for range 1 + random.Intn(5) {
		input += pick(random, "1", "0", "12", "1.5", ".5", "h", "m", "s", "ms", "us", "ns", "-", "+", ".", "x", "9223372036854775807", "30s", "1h")
	}
	span, err := time.ParseDuration(input)
	if err != nil {
		return textCase{Input: input, Error: err.Error()}
	}
	return textCase{Input: input, Output: fmt.Sprint(int64(span))}
}

func main() {
	seed, _ := strconv.ParseInt(os.Args[2], 10, 64)
	count, _ := strconv.Atoi(os.Args[3])
	random := rand.New(rand.NewSource(seed))
	output := json.NewEncoder(os.Stdout)
	output.SetEscapeHTML(false)
	generators := map[string]func() any{
		"quantities":     func() any { return randomQuantity(random) },
		"selectors":      func() any { return randomSelector(random) },
		"durations":      func() any { return randomDuration(random) },
		"duration-texts": func() any { return randomDurationText(random) },
	}
	for range count {
		if err := output.Encode(generators[os.Args[1]]()); err != nil {
			panic(err)
		}
	}
}
