package bound_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/crosswalk-dev/crosswalk/validation/policy/internal/bound"
	"github.com/crosswalk-dev/crosswalk/validation/policy/internal/lazy"
)

// document has lists, maps and strings as large as its size allows.
func document(elements int) []byte {
	var list, numbers, labels []string
	for i := range elements {
		list = append(list, fmt.Sprintf(`{"name":"n%d","tags":["a","b"],"port":%d,"on":true}`, i, i))
		numbers = append(numbers, fmt.Sprint(i))
		labels = append(labels, fmt.Sprintf(`"k%d":"v"`, i))
	}
	return fmt.Appendf(nil, `{"spec":{"items":[%s],"numbers":[%s],"labels":{%s},"text":%q,"name":"x","n":3,"f":1.5,"none":null}}`,
		strings.Join(list, ","), strings.Join(numbers, ","), strings.Join(labels, ","), strings.Repeat("word ", elements))
}

var expressions = []string{
	"object.spec.n > 2", "object.spec.n + 1 == 4 && object.spec.f < 2.0 || !has(object.spec.gone)", "has(object.spec.labels.k1) ? object.spec.n > 0 : true",
	"object.spec.items.all(i, i.name != '')", "object.spec.items.exists(i, i.name == 'n3' && i.port > 2)", "object.spec.items.exists_one(i, i.port == 1)",
	"object.spec.items.all(i, i.tags.all(t, t in ['a', 'b']))", "object.spec.items.all(i, object.spec.items.exists(j, j.name == i.name))",
	"object.spec.items.map(i, i.name).size() > 0", "object.spec.items.filter(i, i.on).map(i, i.port).exists(p, p == 2)", "object.spec.items.map(i, i.port > 1, i.name).size() > 0",
	"object.spec.items.map(i, i.tags).all(t, t.size() == 2)", "object.spec.labels.all(k, k.startsWith('k'))", "object.spec.labels.exists(k, object.spec.labels[k] == 'v')",
	"object.spec.text.matches('^(word )*$')", "object.spec.text.contains('word word')", "object.spec.text.startsWith(object.spec.text)", "object.spec.text + object.spec.text != ''",
	"object.spec.text.split(' ').all(w, w.size() < 9)", "object.spec.text.lowerAscii().trim() != ''", "object.spec.numbers.sum() >= 0", "object.spec.numbers.isSorted()",
	"object.spec.numbers.max() > 0", "3 in object.spec.numbers", "'k1' in object.spec.labels", "object.spec == object.spec", "object.spec.items == object.spec.items",
	"object.spec.numbers + [1, 2] != []", "{'a': object.spec.n, 'b': object.spec.f}.size() == 2", "string(object.spec.n) + 'x' == '3x'", "object.?spec.?gone.orValue(1) == 1",
	"object.spec.items[0].name == 'n0'", "object['spec']['items'][1].port == 1", "size(object.spec.text) < 100000", "type(object.spec.n) == int", "quantity('1k').isGreaterThan(quantity('1'))",
	"object.spec.items.transformList(i, v, v.port + i).size() > 0", "[1, 2, 3].all(a, [1, 2, 3].all(b, a * b < 10))", "object.spec.?name.optMap(n, n + 'x').orValue('') == 'xx'",
	"object.spec.items.map(i, object.spec.items.map(j, i.port * j.port)).size() > 0", "isQuantity(object.spec.text) || true", "object.spec.none == null", "duration('1h').getHours() == 1",
	"object.spec.text.indexOf('w') == 0", "object.spec.text.substring(1, 3) == 'or'", "int('1') + int(object.spec.f) == 2",
}

// No expression costs more than its bound.
func TestBoundsHold(t *testing.T) {
	base := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).StoredExpressionsEnv()
	env, err := base.Extend(cel.Variable("object", cel.DynType))
	if err != nil {
		t.Fatal(err)
	}
	for _, expression := range expressions {
		checked, issues := env.Compile(expression)
		if issues.Err() != nil {
			t.Fatal(issues.Err())
		}
		program, err := env.Program(checked)
		if err != nil {
			t.Fatal(err)
		}
		for _, elements := range []int{1, 5, 40} {
			text := document(elements)
			value, details, err := program.Eval(map[string]any{"object": lazy.NewDocument(text).Root()})
			if err != nil && !strings.Contains(err.Error(), "index out of bounds") {
				t.Fatalf("%s: %v, %v", expression, value, err)
			}
			b := bound.Of(checked.NativeRep(), func(string) float64 { return float64(len(text)) })
			if actual := float64(*details.ActualCost()); actual > b.Cost || math.IsInf(b.Cost, 1) {
				t.Errorf("%s costs %v with %d elements, and the bound is %v", expression, actual, elements, b.Cost)
			}
		}
	}
}

// What is not known has no bound.
func TestUnknown(t *testing.T) {
	base := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).StoredExpressionsEnv()
	env, err := base.Extend(cel.Variable("object", cel.DynType))
	if err != nil {
		t.Fatal(err)
	}
	for _, expression := range []string{
		"object.text.replace('a', object.text) == ''", "'%s'.format([object]) == ''", "object.list.join(',') == ''", "lists.range(10).size() == 10", "other.text == object.text",
		"object.text.find('[a-z]+') == ''", "object.list.map(x, object.text.replace('a', 'b')).all(y, y == '')", "object.list.transformMap(k, v, v).size() == 1",
	} {
		checked, issues := env.Compile(expression)
		if strings.Contains(expression, "other") {
			extended, err := env.Extend(cel.Variable("other", cel.DynType))
			if err != nil {
				t.Fatal(err)
			}
			checked, issues = extended.Compile(expression)
		}
		if issues.Err() != nil {
			t.Fatal(issues.Err())
		}
		b := bound.Of(checked.NativeRep(), func(name string) float64 {
			if name == "other" {
				return math.Inf(1)
			}
			return 100
		})
		// Comparing with something short costs little, whatever it is compared with.
		if expression == "other.text == object.text" {
			if math.IsInf(b.Cost, 1) {
				t.Errorf("%s: %v", expression, b)
			}
			continue
		}
		if !math.IsInf(b.Cost, 1) {
			t.Errorf("%s: %v", expression, b)
		}
	}
}
