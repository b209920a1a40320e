package verify

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// trip converts one object to several versions and records the steps.
type trip struct {
	s      *Subject
	served bool
	steps  []Step

	version string
	bytes   []byte
	value   *tree.Value
	broken  string
}

// start begins a trip with the object of a case. If it is served, the API server decodes it and
// adds defaults first.
func (s *Subject) start(c Case) *trip {
	t := &trip{s: s, served: c.Served, version: c.From, bytes: c.Object}
	v, err := tree.Parse(c.Object)
	if err != nil {
		t.broken = fmt.Sprintf("the case's own object is not I-JSON: %v", err)
		return t
	}
	t.value = v
	if c.Served {
		t.receive()
	}
	return t
}

// receive does what the API server does to a request and to what it reads from etcd.
func (t *trip) receive() {
	schema := t.s.schemas[t.version]
	t.value = withDefaults(coerce(t.value, schema), schema)
	if t.value.Get("metadata") == nil {
		t.value.Set("metadata", tree.NewObject())
	}
	t.bytes = t.value.Append(nil)
}

// fork returns a copy of the trip, which can go on independently.
func (t *trip) fork() *trip {
	other := *t
	other.steps = slices.Clip(t.steps)
	return &other
}

// edit applies edits to the view. It keeps the view valid by the schema.
func (t *trip) edit(edits []Edit) {
	if t.broken != "" {
		return
	}
	v := t.value.Clone()
	for _, e := range edits {
		e.apply(v)
	}
	t.value = coerce(v, t.s.schemas[t.version])
	t.bytes = t.value.Append(nil)
	if t.served {
		t.receive()
	}
}

// to converts the object to a version. After a failure it does nothing.
func (t *trip) to(version string) *trip {
	if t.broken != "" {
		return t
	}
	out, v, problem := t.s.convertParsed(t.s.converter, t.bytes, t.value, version)
	step := Step{From: t.version, To: version, In: t.bytes, Out: out}
	if problem != "" {
		step.Err = fmt.Errorf("%s", problem)
		t.steps = append(t.steps, step)
		t.broken = problem
		return t
	}
	t.steps = append(t.steps, step)
	if t.served {
		if t.value.Get("metadata") != nil && v.Get("metadata") == nil {
			v.Set("metadata", tree.NewObject())
		}
		restoreMeta(t.value, v)
		v = coerce(v, t.s.schemas[version])
	}
	t.version, t.value, t.bytes = version, v, out
	if t.served {
		t.bytes = v.Append(nil)
	}
	return t
}

// convert makes one conversion and checks what holds for every conversion: the input is not
// changed, the result is appended, it is I-JSON, and it has the right version and kind.
func (s *Subject) convert(c Converter, in []byte, to string) (out []byte, problem string) {
	v, _ := tree.Parse(in)
	out, _, problem = s.convertParsed(c, in, v, to)
	return out, problem
}

// convertParsed is convert for an input that may have been parsed. It returns the parsed result, too.
func (s *Subject) convertParsed(c Converter, in []byte, value *tree.Value, to string) (out []byte, v *tree.Value, problem string) {
	defer func() {
		if p := recover(); p != nil {
			out, v, problem = nil, nil, fmt.Sprintf("panic: %v", p)
		}
	}()
	input := bytes.Clone(in)
	const prefix = "prefix"
	out, err := c.Convert([]byte(prefix), input, to)
	switch {
	case err != nil:
		return nil, nil, "conversion failed: " + err.Error()
	case !bytes.Equal(input, in):
		return nil, nil, "the input was changed"
	case !bytes.HasPrefix(out, []byte(prefix)):
		return nil, nil, "the result was not appended to dst"
	}
	out = out[len(prefix):]
	v, err = tree.Parse(out)
	if err != nil {
		return nil, nil, fmt.Sprintf("the result is not I-JSON: %v: %s", err, out)
	}
	if jsontext.Decodable(in) && !jsontext.Decodable(out) {
		return nil, nil, fmt.Sprintf("the API server cannot decode the numbers of the result: %s", out)
	}
	if got := v.Get("apiVersion"); got == nil || got.Text != s.apiVersion(to) {
		return nil, nil, fmt.Sprintf("the result has apiVersion %s", got)
	}
	if got := v.Get("kind"); got == nil || got.Text != s.CRD.Spec.Names.Kind {
		return nil, nil, fmt.Sprintf("the result has kind %s", got)
	}
	if value != nil {
		if problem := checkMeta(value, v); problem != "" {
			return nil, nil, problem
		}
	}
	return out, v, ""
}

func (t *trip) counterexample(c Case, problem string, diff []tree.Difference) *Counterexample {
	return &Counterexample{Case: c, Subject: t.s, Steps: t.steps, Problem: problem, Diff: diff}
}
