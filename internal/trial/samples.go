package trial

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/internal/config"
)

// head holds the fields that identify an object.
type head struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Namespace string `json:"namespace"`
		Name      string `json:"name"`
	} `json:"metadata"`
}

func headOf(object []byte) head {
	var h head
	// Fields of another type stay empty: they are only names in messages.
	_ = json.Unmarshal(object, &h)
	return h
}

// String returns, for example, "CronTab default/backup".
func (h head) String() string {
	name := h.Metadata.Name
	if name == "" {
		name = "without a name"
	}
	if h.Metadata.Namespace != "" {
		name = h.Metadata.Namespace + "/" + name
	}
	return h.Kind + " " + name
}

func (s Sample) name(*table) string {
	return fmt.Sprintf("%s:%d: %v", s.Source.File, s.Source.Line, headOf(s.JSON))
}

// Add adds the samples to their tables. It returns the kinds of the samples without a table.
// The error is [config.Errors], and names samples of a version that the CRD does not have.
func (t *Trial) Add(samples []Sample) (others []string, err error) {
	var wrong config.Errors
	added := 0
	for _, s := range samples {
		h := headOf(s.JSON)
		group, version, _ := strings.Cut(h.APIVersion, "/")
		i := slices.IndexFunc(t.tables, func(o *table) bool {
			return o.CRD.Spec.Group == group && o.CRD.Spec.Names.Kind == h.Kind
		})
		if i < 0 {
			if other := fmt.Sprintf("%s (%s)", h.Kind, h.APIVersion); !slices.Contains(others, other) {
				others = append(others, other)
			}
			continue
		}
		one := t.tables[i]
		var err error
		known, most := one.judge.Subject.Versions(), one.mapped.converter.MaxSize()
		switch {
		case !slices.Contains(known, version):
			err = fmt.Errorf("%v: %s has no version %s; it has %s", h, one.CRD.Name, version, strings.Join(known, ", "))
		case len(s.JSON) > most:
			err = fmt.Errorf("%v: the object is %d bytes long, and the limit is %d; use --max-object-bytes to raise it", h, len(s.JSON), most)
		}
		if err != nil {
			wrong = append(wrong, &config.Error{File: s.Source.File, Document: s.Source.Document, Line: s.Source.Line, Err: err})
			continue
		}
		one.samples = append(one.samples, s)
		added++
	}
	if len(wrong) > 0 {
		return others, wrong
	}
	if added == 0 && len(samples) > 0 {
		return others, config.Errors{{Err: fmt.Errorf("no sample has a table: their kinds are %s; there are tables for %s",
			strings.Join(others, ", "), strings.Join(t.kinds(), ", "))}}
	}
	return others, nil
}

// kinds returns the kinds with a table.
func (t *Trial) kinds() []string {
	var all []string
	for _, o := range t.tables {
		all = append(all, fmt.Sprintf("%s (%s)", o.CRD.Spec.Names.Kind, o.CRD.Spec.Group))
	}
	return all
}
