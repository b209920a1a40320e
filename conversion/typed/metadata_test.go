package typed

import (
	"maps"
	"strconv"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// metaCode is what an author does with metadata on the two ways between v1 and v2.
type metaCode struct {
	up   func(v1 *backupV1, v2 *backupV2) error
	down func(v2 *backupV2, v1 *backupV1) error
}

// option is the code of the fixture with other metadata.
func (m metaCode) option() Option {
	return Spoke("v1", func(v1 *backupV1, v2 *backupV2) error {
		if err := v1.ConvertTo(v2); err != nil {
			return err
		}
		return m.up(v1, v2)
	}, func(v2 *backupV2, v1 *backupV1) error {
		if err := v1.ConvertFrom(v2); err != nil {
			return err
		}
		return m.down(v2, v1)
	})
}

// metaCodes are codes as people write them, and worse.
var metaCodes = map[string]metaCode{
	"the name alone": {
		func(v1 *backupV1, v2 *backupV2) error {
			v2.ObjectMeta = metav1.ObjectMeta{Name: v1.Name, Namespace: v1.Namespace}
			return nil
		},
		func(v2 *backupV2, v1 *backupV1) error {
			v1.ObjectMeta = metav1.ObjectMeta{Name: v2.Name, Namespace: v2.Namespace}
			return nil
		},
	},
	"nothing one way": {
		func(_ *backupV1, v2 *backupV2) error { v2.ObjectMeta = metav1.ObjectMeta{}; return nil },
		func(*backupV2, *backupV1) error { return nil },
	},
	"labels one way, annotations the other": {
		func(v1 *backupV1, v2 *backupV2) error {
			v2.ObjectMeta = metav1.ObjectMeta{Name: v1.Name, Labels: v1.Labels}
			return nil
		},
		func(v2 *backupV2, v1 *backupV1) error {
			v1.ObjectMeta = metav1.ObjectMeta{Name: v2.Name, Annotations: v2.Annotations}
			return nil
		},
	},
	// An annotation of v1 is a field of v2, as far as it says a number.
	"an annotation that is a field": {
		func(v1 *backupV1, v2 *backupV2) error {
			v2.Annotations = maps.Clone(v1.Annotations)
			delete(v2.Annotations, "example.com/y")
			days, err := strconv.ParseInt(v1.Annotations["example.com/y"], 10, 64)
			if err == nil {
				v2.Spec.Retention.Days = &days
			}
			return nil
		},
		func(v2 *backupV2, v1 *backupV1) error {
			if days := v2.Spec.Retention.Days; days != nil {
				v1.Annotations = with(v1.Annotations, "example.com/y", strconv.FormatInt(*days, 10))
			}
			return nil
		},
	},
	// What v1 lacks travels in an annotation, as utilconversion.MarshalData has it.
	"an annotation that is kept": {
		func(v1 *backupV1, v2 *backupV2) error {
			v2.Annotations = maps.Clone(v1.Annotations)
			v2.Spec.State, _, _ = strings.Cut(v1.Annotations["example.com/data"], " ")
			delete(v2.Annotations, "example.com/data")
			return nil
		},
		func(v2 *backupV2, v1 *backupV1) error {
			v1.Annotations = with(v1.Annotations, "example.com/data", v2.Spec.State+" "+v2.Spec.Host)
			return nil
		},
	},
	"a label that is kept": {
		func(_ *backupV1, v2 *backupV2) error { v2.Labels = with(v2.Labels, "tier", "backup"); return nil },
		func(*backupV2, *backupV1) error { return nil },
	},
	"labels and annotations that nobody takes": {
		func(v1 *backupV1, v2 *backupV2) error {
			v2.Labels, v2.Annotations = with(v2.Labels, "app", "no label!"), with(v2.Annotations, "no name!", "")
			if v1.Spec.Paused && len(v1.Spec.Hooks) > 1 { // not always: it takes long
				v2.Annotations = with(v2.Annotations, "large", strings.Repeat("x", 150<<10))
				v2.Annotations = with(v2.Annotations, "larger", strings.Repeat("x", 300<<10))
				v2.Annotations = with(v2.Annotations, "second", strings.Repeat("x", 150<<10))
			}
			return nil
		},
		func(_ *backupV2, v1 *backupV1) error { delete(v1.Labels, "app"); return nil },
	},
	"everything in capitals": {
		func(_ *backupV1, v2 *backupV2) error {
			for name, value := range v2.Labels {
				v2.Labels[name] = strings.ToUpper(value)
			}
			v2.Name, v2.UID, v2.Generation = strings.ToUpper(v2.Name), "made up", 99
			v2.Finalizers, v2.OwnerReferences = []string{"made.up/x"}, []metav1.OwnerReference{{UID: "made up"}}
			v2.CreationTimestamp, v2.ResourceVersion, v2.ManagedFields = metav1.Now(), "99", []metav1.ManagedFieldsEntry{{Manager: "made up"}}
			return nil
		},
		func(_ *backupV2, v1 *backupV1) error {
			v1.ObjectMeta.UID = types.UID(strings.ToLower(string(v1.UID)))
			return nil
		},
	},
}

func with(texts map[string]string, name, value string) map[string]string {
	texts = maps.Clone(texts)
	if texts == nil {
		texts = map[string]string{}
	}
	texts[name] = value
	return texts
}

// TestMetadataStays what it was, but for labels and annotations: the API server
// would ignore anything else.
func TestMetadataStays(t *testing.T) {
	const metadata = `{"creationTimestamp":"2026-01-02T03:04:05Z","deletionGracePeriodSeconds":0,"deletionTimestamp":"2026-01-02T03:04:06Z",` +
		`"finalizers":["example.com/x"],"generateName":"a-","generation":9007199254740993,"managedFields":[{"fieldsV1":{"f:spec":{}},"manager":"m"}],` +
		`"name":"a","namespace":"n","ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"u"}],"resourceVersion":"7","selfLink":"/x","uid":"u-1","unknown":{"a":[null]}}`
	for name, code := range metaCodes {
		c := newConverter(t, code.option())
		for _, trip := range [][2]string{{"v1", "v2"}, {"v2", "v1"}} {
			object := `{"apiVersion":"example.com/` + trip[0] + `","kind":"Backup","metadata":` + metadata + `}`
			got := decode([]byte(convert(t, c, object, trip[1]))).(map[string]any)["metadata"].(map[string]any)
			delete(got, "labels")
			delete(got, "annotations")
			if got := string(appendJSON(nil, got)); got != metadata {
				t.Errorf("%s, %s to %s: got\n%s\nwant\n%s", name, trip[0], trip[1], got, metadata)
			}
		}
	}
}

// TestLabelsAndAnnotations of a v1 object as v2 shows them, and v1 again.
func TestLabelsAndAnnotations(t *testing.T) {
	const before = `{"annotations":{"example.com/y":"7","note":"n"},"labels":{"app":"x"},"name":"a"}`
	for name, want := range map[string]string{
		"the name alone":                           before,
		"nothing one way":                          before,
		"labels one way, annotations the other":    before,
		"an annotation that is a field":            `{"annotations":{"note":"n"},"labels":{"app":"x"},"name":"a"}`,
		"an annotation that is kept":               before,
		"a label that is kept":                     `{"annotations":{"example.com/y":"7","note":"n"},"labels":{"app":"x","tier":"backup"},"name":"a"}`,
		"labels and annotations that nobody takes": before,
		"everything in capitals":                   before,
	} {
		t.Run(name, func(t *testing.T) {
			c := newConverter(t, metaCodes[name].option())
			v2 := convert(t, c, `{"apiVersion":"example.com/v1","kind":"Backup","metadata":`+before+`,"spec":{"target":"h:1","paused":true,"hooks":["x","y"]}}`, "v2")
			got := strings.Replace(metadataOf(v2), `"large":"`+strings.Repeat("x", 150<<10)+`",`, "", 1)
			if got != want {
				t.Errorf("got  %.1000s\nwant %s", got, want)
			}
			if got := metadataOf(convert(t, c, v2, "v1")); got != before {
				t.Errorf("it came back as %s", got)
			}
		})
	}
}

// metadataOf is metadata without our own annotations.
func metadataOf(object string) string {
	document := decode([]byte(object)).(map[string]any)
	metadata := document["metadata"].(map[string]any)
	metadata["annotations"] = textsOf(viewOf(document), "annotations")
	return string(appendJSON(nil, metadata))
}

// TestDeliberate: who writes a field over an annotation that v1 keeps in it, or an
// annotation over the field, is heard.
func TestDeliberate(t *testing.T) {
	c := newConverter(t, metaCodes["an annotation that is a field"].option())
	v1 := convert(t, c, `{"apiVersion":"example.com/v2","kind":"Backup","metadata":{"name":"a"},"spec":{"host":"h","port":1,"retention":{"days":7}}}`, "v1")
	if metadataOf(v1) != `{"annotations":{"example.com/y":"7"},"name":"a"}` {
		t.Fatal(v1)
	}
	for annotation, want := range map[string]string{
		`8`:   `"spec":{"host":"h","port":1,"retention":{"days":8}}`,
		`x`:   `"spec":{"host":"h","port":1}`,
		`7.5`: `"spec":{"host":"h","port":1}`,
	} {
		edited := strings.Replace(v1, `"example.com/y":"7"`, `"example.com/y":"`+annotation+`"`, 1)
		v2 := convert(t, c, edited, "v2")
		if !strings.Contains(v2, want) {
			t.Errorf("%s: got %s", annotation, v2)
		}
		if back := convert(t, c, v2, "v1"); metadataOf(back) != metadataOf(edited) {
			t.Errorf("%s: it came back as %s", annotation, back)
		}
	}
}

// TestKeptData of the author's own follows the hub, whoever has changed the spoke.
func TestKeptData(t *testing.T) {
	c := newConverter(t, metaCodes["an annotation that is kept"].option())
	v1 := convert(t, c, `{"apiVersion":"example.com/v2","kind":"Backup","metadata":{"name":"a"},"spec":{"host":"h","port":1,"state":"Odd"}}`, "v1")
	v2 := convert(t, c, strings.Replace(v1, "h:1", "other:1", 1), "v2")
	if got := metadataOf(v2); got != `{"annotations":{},"name":"a"}` || !strings.Contains(v2, `"host":"other","port":1,"state":"Odd"`) {
		t.Errorf("got %s", v2)
	}
	again := convert(t, c, strings.Replace(v2, `"host":"other"`, `"host":"third"`, 1), "v1")
	if !strings.Contains(again, `"example.com/data":"Odd third"`) {
		t.Errorf("got %s", again)
	}
}
