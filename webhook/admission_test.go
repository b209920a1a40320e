package webhook

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/validation"
)

// TestAdmissionAnswers: the whole of what is answered.
func TestAdmissionAnswers(t *testing.T) {
	const head = `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"u-1",`
	heavier := strings.Replace(starObject, `"mass":2`, `"mass":3`, 1)
	patch := func(p string) string {
		return `"patch":"` + base64.StdEncoding.EncodeToString([]byte(p)) + `","patchType":"JSONPatch"`
	}
	tooHeavy := validation.Cause{Field: "spec.mass", Message: "too heavy"}
	const denial = `"allowed":false,"status":{"metadata":{},"status":"Failure",` +
		`"message":"Star \"sol\" is invalid: spec.mass: too heavy","reason":"Invalid",` +
		`"details":{"name":"sol","group":"sky.dev","kind":"Star","causes":[{"reason":"FieldValueInvalid","message":"too heavy","field":"spec.mass"}]},"code":422}`
	tests := []struct {
		name, path, body string
		verdict          validation.Verdict
		want             string
	}{
		{"allowed", "/validate/stars", admissionUpdate, validation.Verdict{}, head + `"allowed":true}}`},
		{"denied", "/validate/stars", admissionUpdate, validation.Verdict{Causes: []validation.Cause{tooHeavy}}, head + denial + `}}`},
		{"warnings and annotations", "/validate/stars", admissionUpdate, validation.Verdict{
			Warnings: []string{"not \"nice\"", "\xff"}, AuditAnnotations: map[string]string{"b": "2", "a": "1\n"}},
			head + `"allowed":true,"auditAnnotations":{"a":"1\n","b":"2"},"warnings":["not \"nice\"","` + "\uFFFD" + `"]}}`},
		{"denied with warnings", "/mutate/stars", admissionUpdate, validation.Verdict{Causes: []validation.Cause{tooHeavy}, Warnings: []string{"w"}},
			head + denial + `,"warnings":["w"]}}`},
		{"v1beta1", "/mutate/stars", with("admission.k8s.io/v1", "admission.k8s.io/v1beta1"), validation.Verdict{Object: []byte(heavier)},
			strings.Replace(head, "/v1", "/v1beta1", 1) + `"allowed":true,` + patch(`[{"op":"replace","path":"/spec/mass","value":3}]`) + `}}`},
		{"a uid of any kind", "/validate/stars", with(`"u-1"`, `"\u00e9\"\/"`), validation.Verdict{},
			strings.Replace(head, `"u-1"`, `"\u00e9\"\/"`, 1) + `"allowed":true}}`},

		{"mutated", "/mutate/stars", admissionUpdate, validation.Verdict{Object: []byte(heavier)},
			head + `"allowed":true,` + patch(`[{"op":"replace","path":"/spec/mass","value":3}]`) + `}}`},
		{"left alone", "/mutate/stars", admissionUpdate, validation.Verdict{}, head + `"allowed":true}}`},
		{"mutated into the same", "/mutate/stars", admissionUpdate, validation.Verdict{Object: []byte(starObject)}, head + `"allowed":true}}`},
		{"mutated into the same, written otherwise", "/mutate/stars", admissionUpdate,
			validation.Verdict{Object: []byte(` {"kind":"Star","spec":{"mass":2.0},"metadata":{"namespace":"milkyway","name":"sol"},"apiVersion":"sky.dev/v1"}`)},
			head + `"allowed":true}}`},
		{"mutated and denied", "/mutate/stars", admissionUpdate, validation.Verdict{Object: []byte(heavier), Causes: []validation.Cause{tooHeavy}}, head + denial + `}}`},
		{"mutated where that does not count", "/validate/stars", admissionUpdate, validation.Verdict{Object: []byte(heavier)}, head + `"allowed":true}}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := post(t, asked(t, Options{}, says(test.verdict)), test.path+"?timeout=10s", test.body)
			got.expect(t, http.StatusOK, test.want)
			if v := got.header.Get("Content-Type"); v != "application/json" {
				t.Errorf("Content-Type %q", v)
			}
		})
	}
}

// TestNoVerdict: a reviewer may say nothing at all.
func TestNoVerdict(t *testing.T) {
	h := asked(t, Options{}, judge(func(context.Context, *admissionv1.AdmissionRequest) (*validation.Verdict, error) { return nil, nil }))
	for _, path := range []string{"/validate/stars", "/mutate/stars"} {
		if r := decodeReview(t, post(t, h, path, admissionUpdate).body).Response; !r.Allowed || r.Patch != nil {
			t.Errorf("%s: %+v", path, r)
		}
	}
}

// TestAdmissionRequest: a reviewer sees all that was sent.
func TestAdmissionRequest(t *testing.T) {
	yes := true
	want := decodeReview(t, admissionUpdate).Request
	tests := []struct {
		name, body string
		edit       func(*admissionv1.AdmissionRequest)
	}{
		{"update", admissionUpdate, func(*admissionv1.AdmissionRequest) {}},
		{"dry run", with(`"dryRun":false`, `"dryRun":true`), func(r *admissionv1.AdmissionRequest) { r.DryRun = &yes }},
		{"create", with(`UPDATE`, `CREATE`), func(r *admissionv1.AdmissionRequest) { r.Operation = "CREATE" }},
		{"create without a name", strings.NewReplacer(`"UPDATE"`, `"CREATE"`, `"name":"sol","namespace":"milkyway","operation"`, `"namespace":"milkyway","operation"`, `"oldObject":`+oldStar, `"oldObject":null`).Replace(admissionUpdate),
			func(r *admissionv1.AdmissionRequest) { r.Operation, r.Name, r.OldObject.Raw = "CREATE", "", nil }},
		{"delete", strings.NewReplacer(`UPDATE`, `DELETE`, `"object":`+starObject, `"object":null`).Replace(admissionUpdate),
			func(r *admissionv1.AdmissionRequest) { r.Operation, r.Object.Raw = "DELETE", nil }},
		{"connect", strings.NewReplacer(`UPDATE`, `CONNECT`, `"object":`+starObject+`,`, ``, `"oldObject":`+oldStar+`,`, ``).Replace(admissionUpdate),
			func(r *admissionv1.AdmissionRequest) {
				r.Operation, r.Object.Raw, r.OldObject.Raw = "CONNECT", nil, nil
			}},
		{"status", with(`"operation"`, `"subResource":"status","requestSubResource":"status","operation"`),
			func(r *admissionv1.AdmissionRequest) { r.SubResource, r.RequestSubResource = "status", "status" }},
		{"scale", with(`{"group":"sky.dev","version":"v1","kind":"Star"}`, `{"group":"autoscaling","version":"v1","kind":"Scale"}`),
			func(r *admissionv1.AdmissionRequest) {
				r.Kind = metav1.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"}
			}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			want := want.DeepCopy()
			test.edit(want)
			var got *admissionv1.AdmissionRequest
			h := asked(t, Options{}, judge(func(_ context.Context, r *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
				got = r.DeepCopy()
				return nil, nil
			}))
			for _, path := range []string{"/validate/stars", "/mutate/stars"} {
				post(t, h, path, test.body).expect(t, http.StatusOK,
					`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"u-1","allowed":true}}`)
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%s\n got %+v\nwant %+v", path, got, want)
				}
			}
		})
	}
}

// TestObjectsCannotGrow: appending to an object cannot change what follows it in
// the body.
func TestObjectsCannotGrow(t *testing.T) {
	post(t, asked(t, Options{}, judge(func(_ context.Context, r *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
		_ = append(r.Object.Raw, "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX"...)
		if string(r.OldObject.Raw) != oldStar {
			t.Errorf("the old object is %s", r.OldObject.Raw)
		}
		return nil, nil
	})), "/validate/stars", admissionUpdate)
}

// TestStringsOutliveTheBody: a reviewer may keep names, for example in a log.
func TestStringsOutliveTheBody(t *testing.T) {
	var kept []string
	h := asked(t, Options{}, judge(func(_ context.Context, r *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
		kept = append(kept, r.Name)
		return nil, nil
	}))
	post(t, h, "/validate/stars", admissionUpdate)
	post(t, h, "/validate/stars", with(`"name":"sol","namespace"`, `"name":"xxx","namespace"`))
	if !reflect.DeepEqual(kept, []string{"sol", "xxx"}) {
		t.Error(kept)
	}
}

// TestAdmissionRefusals: what is answered instead of a review.
func TestAdmissionRefusals(t *testing.T) {
	h := asked(t, Options{MaxAdmissionBytes: 4000}, judge(func(_ context.Context, r *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
		if r.Name == "broken" {
			return nil, errors.New("the lookup of galaxies has no answer")
		}
		if r.Name == "early" {
			return nil, fmt.Errorf("%w: the galaxies have not been read yet", validation.ErrNotReady)
		}
		return &validation.Verdict{Object: []byte(r.Name)}, nil
	}))
	named := func(name string) string { return with(`"name":"sol","namespace"`, `"name":"`+name+`","namespace"`) }
	deleted := func(name string) string {
		return strings.NewReplacer(`UPDATE`, `DELETE`, `"object":`+starObject, `"object":null`).Replace(named(name))
	}
	json := map[string]string{"Content-Type": "application/json"}
	const nowhere = "this path does not exist; use /validate/{name} or /mutate/{name}"
	tests := []struct {
		name, method, path string
		header             map[string]string
		body               string
		status             int
		want               string
	}{
		{"another path", "POST", "/convert", json, admissionUpdate, 404, nowhere},
		{"no name", "POST", "/validate/", json, admissionUpdate, 404, nowhere},
		{"a name that cannot be", "POST", "/validate/STARS", json, admissionUpdate, 404, nowhere},
		{"a path below", "POST", "/validate/stars/", json, admissionUpdate, 404, nowhere},
		{"GET", "GET", "/mutate/stars", json, "", 405, "the method is not allowed; use POST"},
		{"nobody has the name", "POST", "/validate/planets", json, admissionUpdate, 503, "no reviewer named planets is loaded yet to validate"},
		{"nobody has the name", "POST", "/mutate/planets", json, "", 503, "no reviewer named planets is loaded yet to mutate"},
		{"another media type", "POST", "/validate/stars", map[string]string{"Content-Type": "application/yaml"}, "", 415, "the Content-Type is wrong; send application/json"},
		{"too large", "POST", "/validate/stars", json, strings.Repeat(" ", 4001), 413, "the body is larger than 4000 bytes, the limit of this server"},
		{"timeout that is none", "POST", "/validate/stars?timeout=soon", json, admissionUpdate, 400, "timeout in the URL is not a duration above 0, such as 10s"},
		{"timeout of 0s", "POST", "/validate/stars?a=b&timeout=0s", json, admissionUpdate, 400, "timeout in the URL is not a duration above 0, such as 10s"},
		{"query that is none", "POST", "/validate/stars?timeout=%zz", json, admissionUpdate, 400, "the query of the URL is malformed"},
		{"error", "POST", "/validate/stars", json, named("broken"), 500, "validate/stars could not evaluate the request: the lookup of galaxies has no answer"},
		{"error", "POST", "/mutate/stars", json, named("broken"), 500, "mutate/stars could not evaluate the request: the lookup of galaxies has no answer"},
		{"too early", "POST", "/validate/stars", json, named("early"), 503, "validate/stars could not evaluate the request: not ready: the galaxies have not been read yet"},
		{"too early", "POST", "/mutate/stars", json, named("early"), 503, "mutate/stars could not evaluate the request: not ready: the galaxies have not been read yet"},
		{"no object comes out", "POST", "/mutate/stars", json, named("[]"), 500, "mutate/stars could not evaluate the request: its result is not a JSON object"},
		{"nothing comes out", "POST", "/mutate/stars", json, named(" "), 500, "mutate/stars could not evaluate the request: its result is not a JSON object"},
		{"no JSON comes out", "POST", "/mutate/stars", json, named("{x"), 500,
			"mutate/stars could not evaluate the request: the document after the patch: byte 1: unexpected 'x'; expected a member name"},
		{"nothing to mutate", "POST", "/mutate/stars", json, deleted("{}"), 500, "mutate/stars could not evaluate the request: it tried to change the object, and a DELETE request has none"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := httptest.NewRequest(test.method, "http://host"+test.path, strings.NewReader(test.body))
			for name, value := range test.header {
				r.Header.Set(name, value)
			}
			got := do(h, r)
			got.refused(t, test.status, test.want)
			wantRetry := ""
			if test.status == 503 {
				wantRetry = "1"
			}
			if retry := got.header.Get("Retry-After"); retry != wantRetry {
				t.Errorf("Retry-After %q", retry)
			}
		})
	}
}

func TestAdmissionNeedsReviewers(t *testing.T) {
	defer func() {
		if p := recover(); p != "webhook: Options.Reviewers is nil" {
			t.Errorf("panic %v", p)
		}
	}()
	NewAdmissionHandler(Options{})
}

// TestAdmissionBesideConversion: both on one listener, each with its own limit.
func TestAdmissionBesideConversion(t *testing.T) {
	reviewers := NewReviewers(nil)
	if err := reviewers.Replace(map[string]validation.Reviewer{"stars": says(validation.Verdict{})}, nil); err != nil {
		t.Fatal(err)
	}
	h := NewHandler(Options{Tables: loaded(t, nil, rename), Reviewers: reviewers, MaxBodyBytes: 10_000, MaxAdmissionBytes: 5_000})
	space := strings.Repeat(" ", 6_000)
	post(t, h, "/convert", review1(star)+space).expect(t, http.StatusOK, success(starV1))
	post(t, h, "/validate/stars", admissionUpdate).expect(t, http.StatusOK,
		`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"u-1","allowed":true}}`)
	post(t, h, "/validate/stars", admissionUpdate+space).refused(t, http.StatusRequestEntityTooLarge, "the body is larger than 5000 bytes, the limit of this server")
	post(t, h, "/mutate/stars", admissionUpdate).refused(t, http.StatusServiceUnavailable, "no reviewer named stars is loaded yet to mutate")
	post(t, h, "/", "").refused(t, http.StatusNotFound,
		"this path does not exist; use /convert, /convert/{fingerprint of a table}, /validate/{name} or /mutate/{name}")
}

// TestAdmissionLimit: 7 MiB are read unless somebody says otherwise.
func TestAdmissionLimit(t *testing.T) {
	h := asked(t, Options{}, says(validation.Verdict{}))
	fits := admissionUpdate + strings.Repeat(" ", 7<<20-len(admissionUpdate))
	if got := post(t, h, "/validate/stars", fits); got.status != http.StatusOK {
		t.Errorf("%d %.200s", got.status, got.body)
	}
	post(t, h, "/validate/stars", fits+" ").refused(t, http.StatusRequestEntityTooLarge, "the body is larger than 7340032 bytes, the limit of this server")
}

// TestReviewersReplace: who answers changes at once, under load.
func TestReviewersReplace(t *testing.T) {
	reviewers := NewReviewers(nil)
	if err := reviewers.Check(); err == nil || err.Error() != "no reviewers are loaded yet" {
		t.Error(err)
	}
	h := NewAdmissionHandler(Options{Reviewers: reviewers})
	post(t, h, "/validate/stars", admissionUpdate).refused(t, http.StatusServiceUnavailable, "no reviewer named stars is loaded yet to validate")
	for name, want := range map[string]string{
		"Stars": `the name "Stars" of a reviewer cannot be part of a path; use lower-case letters, digits, dashes and dots`,
		"a/b":   `the name "a/b" of a reviewer cannot be part of a path; use lower-case letters, digits, dashes and dots`,
		"":      `the name "" of a reviewer cannot be part of a path; use lower-case letters, digits, dashes and dots`,
	} {
		if err := reviewers.Replace(nil, map[string]validation.Reviewer{name: says(validation.Verdict{})}); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if err := reviewers.Replace(map[string]validation.Reviewer{"stars": nil}, nil); err == nil || err.Error() != "the reviewer validate/stars is nil" {
		t.Error(err)
	}
	if reviewers.Check() == nil {
		t.Error("a Replace that fails loads something")
	}
	var wait sync.WaitGroup
	for i := range 4 {
		wait.Go(func() {
			for range 50 {
				set := map[string]validation.Reviewer{"stars": says(validation.Verdict{Warnings: []string{"one", "two"}[:i/2]})}
				if err := reviewers.Replace(set, set); err != nil {
					t.Error(err)
				}
				if got := post(t, h, "/mutate/stars", admissionUpdate); got.status != http.StatusOK {
					t.Errorf("%d %s", got.status, got.body)
				}
			}
		})
	}
	wait.Wait()
	if err := reviewers.Check(); err != nil {
		t.Error(err)
	}
}

// TestDenialIsBounded: an answer stays small, whatever an object holds.
func TestDenialIsBounded(t *testing.T) {
	var causes []validation.Cause
	for range 1000 {
		causes = append(causes, validation.Cause{Field: "spec.a", Message: strings.Repeat("é", 3000)})
	}
	got := post(t, asked(t, Options{}, says(validation.Verdict{Causes: causes})), "/validate/stars", admissionUpdate)
	status := decodeReview(t, got.body).Response.Result
	last := status.Details.Causes[len(status.Details.Causes)-1]
	if n := len(status.Details.Causes); n != 257 || last.Message != "and 744 more" || last.Field != "" {
		t.Errorf("%d causes, and last %+v", n, last)
	}
	if len(status.Message) > 32<<10 || len(got.body) > 600<<10 || !strings.Contains(status.Message, " … ") {
		t.Errorf("%d bytes, message of %d", len(got.body), len(status.Message))
	}
}

// TestAdmissionKnowsItsCaller: a reviewer is told of a caller that Options.Knows, and of
// nobody else, whatever the request says of itself.
func TestAdmissionKnowsItsCaller(t *testing.T) {
	j := judge(func(ctx context.Context, _ *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
		return &validation.Verdict{Warnings: []string{fmt.Sprint("known: ", validation.CallerIsKnown(ctx))}}, nil
	})
	knows := func(r *http.Request) bool { return r.Header.Get("X-Known") == "yes" }
	for _, test := range []struct {
		knows  func(*http.Request) bool
		header string
		want   string
	}{{nil, "yes", "known: false"}, {knows, "", "known: false"}, {knows, "yes", "known: true"}} {
		for _, path := range []string{"/validate/stars", "/mutate/stars"} {
			r := httptest.NewRequest(http.MethodPost, path+"?timeout=5s", strings.NewReader(admissionUpdate))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("X-Known", test.header)
			w := httptest.NewRecorder()
			asked(t, Options{Knows: test.knows}, j).ServeHTTP(w, r)
			if got := decodeReview(t, w.Body.String()).Response.Warnings; len(got) != 1 || got[0] != test.want {
				t.Errorf("%s: got %v, want %s", path, got, test.want)
			}
		}
	}
}
