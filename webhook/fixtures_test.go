package webhook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// fake is a converter for kind Star of group sky.dev whose answer a test
// decides. It notes what it was asked.
type fake struct {
	convert func(dst, object []byte, to string, notes *conversion.Notes) ([]byte, error)
}

func (f *fake) Name() string        { return "stars.sky.dev" }
func (f *fake) Group() string       { return "sky.dev" }
func (f *fake) Kind() string        { return "Star" }
func (f *fake) Versions() []string  { return []string{"v1", "v1beta1"} }
func (f *fake) Fingerprint() string { return "0123abcd" }

func (f *fake) ConvertNoting(_ context.Context, dst, object []byte, to string, notes *conversion.Notes) ([]byte, error) {
	return f.convert(dst, object, to, notes)
}

// rename is the simplest conversion: another apiVersion, and all else alike.
func rename(dst, object []byte, to string, _ *conversion.Notes) ([]byte, error) {
	var o map[string]json.RawMessage
	if err := json.Unmarshal(object, &o); err != nil {
		return dst, err
	}
	if to != "v1" && to != "v1beta1" {
		return dst, errors.New("no such version")
	}
	o["apiVersion"] = json.RawMessage(`"sky.dev/` + to + `"`)
	out, err := json.Marshal(o)
	return append(dst, out...), err
}

// star is an object as it is stored, and review asks for it in v1.
const star = `{"apiVersion":"sky.dev/v1beta1","kind":"Star","metadata":{"name":"sol","namespace":"milkyway"},"spec":{"mass":1}}`

func review1(objects ...string) string {
	return `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"u-1","desiredAPIVersion":"sky.dev/v1","objects":[` +
		strings.Join(objects, ",") + `]}}`
}

// loaded returns Tables with a fake that converts by f.
func loaded(t testing.TB, metrics *Metrics, f func(dst, object []byte, to string, notes *conversion.Notes) ([]byte, error)) *Tables {
	t.Helper()
	tables := NewTables(metrics)
	if err := tables.Replace([]Converter{&fake{f}}); err != nil {
		t.Fatal(err)
	}
	return tables
}

// reply is what a handler answered.
type reply struct {
	status int
	header http.Header
	body   string
}

func post(t testing.TB, h http.Handler, path, body string) reply {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	return do(h, r)
}

func do(h http.Handler, r *http.Request) reply {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	body, _ := io.ReadAll(w.Result().Body) // a recorder's body does not fail
	return reply{w.Code, w.Header(), string(body)}
}

func (r reply) expect(t testing.TB, status int, body string) {
	t.Helper()
	if r.status != status || r.body != body {
		t.Errorf("answer\n got %d %s\nwant %d %s", r.status, r.body, status, body)
	}
}

// refused checks that the answer is a Status with this code and sentence.
func (r reply) refused(t testing.TB, status int, sentence string) {
	t.Helper()
	var got metav1.Status
	if err := json.Unmarshal([]byte(r.body), &got); err != nil {
		t.Fatalf("%v: %s", err, r.body)
	}
	want := metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: "Failure",
		Message: sentence, Reason: reason(status), Code: int32(status)}
	if r.status != status || !reflect.DeepEqual(got, want) || r.header.Get("Content-Type") != "application/json" {
		t.Errorf("answer\n got %d %s\nwant %d %s", r.status, r.body, status, sentence)
	}
}

// success is the answer that holds these objects.
func success(objects ...string) string {
	return `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","response":{"uid":"u-1","convertedObjects":[` +
		strings.Join(objects, ",") + `],"result":{"status":"Success"}}}`
}

// failed is the answer with this message.
func failed(message string) string {
	return fmt.Sprintf(`{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","response":{"uid":"u-1","convertedObjects":[],"result":{"status":"Failure","message":%s}}}`, quoted(message))
}

func quoted(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string and a buffer do not fail
	return strings.TrimSpace(b.String())
}

// appendV1 answers every request with the same object, and allocates nothing.
func appendV1(dst, _ []byte, _ string, _ *conversion.Notes) ([]byte, error) {
	return append(dst, starV1...), nil
}
