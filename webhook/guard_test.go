package webhook

import (
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/validation"
)

// guardedCrontabs are Tables with the table of the example.
func guardedCrontabs(t testing.TB) *Tables {
	t.Helper()
	tables := NewTables(nil)
	if err := tables.Replace([]Converter{crontabTable(t)}); err != nil {
		t.Fatal(err)
	}
	return tables
}

func crontabTable(t testing.TB) Converter {
	t.Helper()
	crd, table := new(apiextensionsv1.CustomResourceDefinition), new(v1alpha1.Crosswalk)
	for name, into := range map[string]any{"crd": crd, "crosswalk": table} {
		text, err := os.ReadFile("../examples/crontab/" + name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		if err := yaml.UnmarshalStrict(text, into); err != nil {
			t.Fatal(err)
		}
	}
	c, err := conversion.Compile(crd, table)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// write is a request to write an object of the example through a version.
func write(operation admissionv1.Operation, version, object, old string) *admissionv1.AdmissionRequest {
	wrap := func(rest string) (raw runtime.RawExtension) {
		if rest != "" {
			raw.Raw = []byte(`{"apiVersion":"stable.example.com/` + version + `","kind":"CronTab",` + rest + `}`)
		}
		return raw
	}
	return &admissionv1.AdmissionRequest{
		UID: "u-1", Operation: operation, Name: "a",
		Kind:   metav1.GroupVersionKind{Group: "stable.example.com", Version: version, Kind: "CronTab"},
		Object: wrap(object), OldObject: wrap(old),
	}
}

func reviewed(t testing.TB, r validation.Reviewer, request *admissionv1.AdmissionRequest) *validation.Verdict {
	t.Helper()
	verdict, err := r.Review(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	return verdict
}

const shell = `"annotations":{"stash.crosswalk.dev/v1beta1":"{\"format\":1,\"table\":\"r4Ehqq3u.v1\",\"entries\":[{\"at\":[\"spec\",\"shell\"],\"value\":\"/bin/dash\"}]}"}`

// TestGuard gives back what a writer has dropped, and leaves alone what needs
// nothing.
func TestGuard(t *testing.T) {
	guard := Guard(guardedCrontabs(t))
	whole := `"metadata":{"name":"a",` + shell + `},"spec":{"image":"i"}`
	dropped := `"metadata":{"name":"a"},"spec":{"image":"i"}`
	verdict := reviewed(t, guard, write(admissionv1.Update, "v1", dropped, whole))
	if !verdict.Allowed() || !strings.Contains(string(verdict.Object), "/bin/dash") {
		t.Errorf("got %+v", verdict)
	}
	for name, request := range map[string]*admissionv1.AdmissionRequest{
		"nothing to guard": write(admissionv1.Update, "v1", dropped, dropped),
		"intact":           write(admissionv1.Update, "v1", whole, whole),
		"created":          write(admissionv1.Create, "v1", whole, ""),
		"deleted":          write(admissionv1.Delete, "v1", "", whole),
		"a Scale":          scale(`{"apiVersion":"autoscaling/v1","kind":"Scale","spec":{}}`),
	} {
		if verdict := reviewed(t, guard, request); !verdict.Allowed() || verdict.Object != nil {
			t.Errorf("%s: got %+v", name, verdict)
		}
	}
}

// scale is a request to scale an object of the example.
func scale(object string) *admissionv1.AdmissionRequest {
	return &admissionv1.AdmissionRequest{
		UID: "u-1", Operation: admissionv1.Update, Name: "a", SubResource: "scale",
		Kind:     metav1.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"},
		Resource: metav1.GroupVersionResource{Group: "stable.example.com", Version: "v1", Resource: "crontabs"},
		Object:   runtime.RawExtension{Raw: []byte(object)}, OldObject: runtime.RawExtension{Raw: []byte(object)},
	}
}

// TestGuardRefusesOtherKinds than that which a request says it is about, with a
// sentence: nothing that the API server sends is such.
func TestGuardRefusesOtherKinds(t *testing.T) {
	const (
		good    = `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"a"},"spec":{"image":"i"}}`
		crontab = `{"group":"stable.example.com","version":"v1","kind":"CronTab"}`
		isScale = `request.object is a "CronTab" of "stable.example.com/v1", and request.kind a "Scale" of "autoscaling/v1"`
	)
	tables := guardedCrontabs(t)
	for _, test := range []struct{ kind, object, old, want string }{
		{crontab, `{"apiVersion":"autoscaling/v1","kind":"Scale"}`, good, `request.object is a "Scale" of "autoscaling/v1", and request.kind a "CronTab" of "stable.example.com/v1"`},
		{crontab, good, `{"kind":"CronTab","apiVersion":"stable.example.com/v1beta1"}`, `request.oldObject is a "CronTab" of "stable.example.com/v1beta1", and request.kind a "CronTab" of "stable.example.com/v1"`},
		{crontab, `{"apiVersion":"stable.example.com/v1"}`, good, `request.object is a "" of "stable.example.com/v1", and request.kind a "CronTab" of "stable.example.com/v1"`},
		{`{"group":"autoscaling","version":"v1","kind":"Scale"}`, good, good, isScale},
	} {
		body := `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u-1","operation":"UPDATE","name":"a","kind":` + test.kind +
			`,"object":` + test.object + `,"oldObject":` + test.old + `}}`
		for _, asks := range []struct {
			reviewer validation.Reviewer
			path     string
		}{{Guard(tables), "/mutate/stars"}, {StrictWrites(tables), "/validate/stars"}} {
			post(t, asked(t, Options{}, asks.reviewer), asks.path, body).refused(t, http.StatusBadRequest,
				strings.TrimPrefix(asks.path, "/")+" could not evaluate the request: malformed request: "+test.want)
		}
	}
}

// TestGuardByAnOlderTable: where the present table does not compile, the one that
// converts judges.
func TestGuardByAnOlderTable(t *testing.T) {
	tables := NewTables(nil)
	if err := tables.Replace(nil, crontabTable(t), &fake{rename}); err != nil {
		t.Fatal(err)
	}
	verdict := reviewed(t, StrictWrites(tables), write(admissionv1.Create, "v1beta1", `"spec":{"hostPort":"a"}`, ""))
	if len(verdict.Causes) != 1 {
		t.Errorf("got %+v", verdict)
	}
}

// TestGuardNeedsTheTable: without it the API server has to ask again, because a
// write that nobody guards may lose something.
func TestGuardNeedsTheTable(t *testing.T) {
	for _, r := range []validation.Reviewer{Guard(NewTables(nil)), StrictWrites(NewTables(nil))} {
		if _, err := r.Review(t.Context(), write(admissionv1.Create, "v1", `"spec":{}`, "")); !errors.Is(err, validation.ErrNotReady) {
			t.Errorf("got %v", err)
		}
	}
	if _, err := Guard(loaded(t, nil, rename)).Review(t.Context(), &admissionv1.AdmissionRequest{
		Operation: admissionv1.Create, Kind: metav1.GroupVersionKind{Group: "sky.dev", Version: "v1", Kind: "Star"},
		Object: runtime.RawExtension{Raw: []byte(star)},
	}); err == nil || errors.Is(err, validation.ErrNotReady) {
		t.Errorf("a converter that guards nothing: %v", err)
	}
}
