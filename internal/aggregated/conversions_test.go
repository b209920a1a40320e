package aggregated

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"runtime"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	conversionv1alpha1 "github.com/crosswalk-dev/crosswalk/api/conversion/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/webhook"
)

// questionText is the text of a Conversion.
func questionText(object, rest string) string {
	return fmt.Sprintf(`{"apiVersion":"conversion.crosswalk.dev/v1alpha1","kind":"Conversion","spec":{"object":%s%s}}`, object, rest)
}

const beta = `{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","metadata":{"name":"a","namespace":"default"%s},"spec":{"cronSpec":"* * * * *","image":"a:1"%s}}`

// create asks as alice, and returns the answer.
func (s *served) create(t *testing.T, body string) conversionv1alpha1.Conversion {
	t.Helper()
	code, text := s.ask(t, s.as(t, "alice"), "POST", conversionsPath, body)
	var answer conversionv1alpha1.Conversion
	if err := json.Unmarshal([]byte(text), &answer); err != nil || code != http.StatusCreated {
		t.Fatalf("%d %v: %s", code, err, text)
	}
	return answer
}

// An answer has the object, byte for byte as a conversion of the webhook gives it, and
// what was asked.
func TestCreate(t *testing.T) {
	s := serve(t)
	object := fmt.Sprintf(beta, "", `,"shell":"/bin/dash","hostPort":"h:12345678901234567890"`)
	answer := s.create(t, questionText(object, `,"version":"v1"`))
	want := `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"a","namespace":"default","annotations":{"stash.crosswalk.dev/v1beta1":"`
	got := string(answer.Status.Object.Raw)
	if !strings.HasPrefix(got, want) || !strings.Contains(got, `"host":"h","port":"12345678901234567890"`) {
		t.Errorf("got %s", got)
	}
	if string(answer.Spec.Object.Raw) != object || answer.Spec.Version != "v1" || answer.Status.Steps != nil || answer.Kind != "Conversion" {
		t.Errorf("got %+v", answer)
	}
	// What is kept for the other version is put back.
	back := s.create(t, questionText(got, `,"version":"v1beta1"`))
	if string(back.Status.Object.Raw) != fmt.Sprintf(beta, "", `,"hostPort":"h:12345678901234567890","shell":"/bin/dash"`) {
		t.Errorf("got\n%s, want\n%s", back.Status.Object.Raw, object)
	}
	same := s.create(t, questionText(object, `,"version":"v1beta1"`))
	if string(same.Status.Object.Raw) != object {
		t.Errorf("got\n%s, want\n%s", same.Status.Object.Raw, object)
	}
}

// The metadata of a question is its asker's, and nobody manages fields of what is not
// stored.
func TestMetadata(t *testing.T) {
	s := serve(t)
	body := strings.Replace(questionText(fmt.Sprintf(beta, "", ""), `,"version":"v1"`), `"spec"`, `"metadata":{"name":"mine","labels":{"a":"b"}},"spec"`, 1)
	code, text := s.ask(t, s.as(t, "alice"), "POST", conversionsPath+"?fieldManager=me&dryRun=All", body)
	if code != http.StatusCreated || !strings.Contains(text, `"metadata":{"name":"mine","labels":{"a":"b"}},"spec"`) {
		t.Errorf("%d: %s", code, text)
	}
}

// An explanation is what the command shows of the same conversion.
func TestExplain(t *testing.T) {
	s := serve(t)
	object := fmt.Sprintf(beta, "", `,"shell":"/bin/dash","hostPort":"h:1"`)
	answer := s.create(t, questionText(object, `,"version":"v1","explain":true`))
	got, err := json.Marshal(answer.Status.Steps)
	if err != nil {
		t.Fatal(err)
	}
	explained, err := s.tables.Converter("stable.example.com", "CronTab").(explaining).Explain(t.Context(), []byte(object), "v1")
	if err != nil {
		t.Fatal(err)
	}
	want, err := json.Marshal(explained.Steps)
	if err != nil {
		t.Fatal(err)
	}
	var a, b any
	if json.Unmarshal(got, &a) != nil || json.Unmarshal(want, &b) != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	if plain := s.create(t, questionText(object, `,"version":"v1"`)); string(plain.Status.Object.Raw) != string(answer.Status.Object.Raw) {
		t.Errorf("got %s, and unexplained %s", answer.Status.Object.Raw, plain.Status.Object.Raw)
	}
	for _, part := range []string{
		`{"path":".spec.host","by":"row","row":"row 1","from":[".spec.hostPort"],"value":"h"}`,
		`"kept":[{"path":".spec.shell","why":"no such field","value":"/bin/dash"}]`,
	} {
		if !strings.Contains(string(got), part) {
			t.Errorf("%s lacks %s", got, part)
		}
	}
}

// Who asks wrongly is told where, why, and what would do.
func TestWrongQuestions(t *testing.T) {
	s := serve(t)
	right := fmt.Sprintf(beta, "", "")
	tests := []struct {
		name, body string
		code       int
		want       string
	}{
		{"no object", `{"apiVersion":"conversion.crosswalk.dev/v1alpha1","kind":"Conversion","spec":{"version":"v1"}}`, 422,
			`spec.object: Required value: the complete object to convert, with apiVersion and kind`},
		{"null", questionText("null", `,"version":"v1"`), 422, `spec.object: Required value`},
		{"a text", questionText(`"a"`, `,"version":"v1"`), 422, `spec.object: Invalid value: `},
		{"no kind", questionText(`{"apiVersion":"stable.example.com/v1"}`, `,"version":"v1"`), 422, `spec.object.kind: Required value`},
		{"no apiVersion", questionText(`{"kind":"CronTab"}`, `,"version":"v1"`), 422, `spec.object.apiVersion: Required value`},
		{"another kind", questionText(`{"apiVersion":"v1","kind":"Pod"}`, `,"version":"v1"`), 422,
			`spec.object.kind: Invalid value: there is no table for the kind Pod of the group ""; "kubectl get crosswalks" lists all tables`},
		{"no version", questionText(right, ""), 422, `spec.version: Required value: one of v1beta1, v1`},
		{"another version", questionText(right, `,"version":"v2"`), 422, `spec.version: Unsupported value: "v2": supported values: "v1beta1", "v1"`},
		{"a version with its group", questionText(right, `,"version":"stable.example.com/v1"`), 422, `spec.version: Unsupported value: "stable.example.com/v1"`},
		{"a version of the object that there is not", questionText(strings.Replace(right, "/v1beta1", "/v3", 1), `,"version":"v1"`), 422,
			`spec.object: Invalid value: CronTab default/a: to v1: its apiVersion is "stable.example.com/v3", but the table has only v1beta1, v1 of the group stable.example.com`},
		{"a field that there is not, strictly", questionText(right, `,"version":"v1","explane":true`), 400, `unknown field \"spec.explane\"`},
		{"no JSON", `{`, 400, `unexpected`},
		{"another kind of question", `{"apiVersion":"v1","kind":"Pod"}`, 400, `Pod`},
		{"too large", questionText(`"`+strings.Repeat("a", 3<<20)+`"`, ""), 413, `limit is 3145728`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			code, text := s.ask(t, s.as(t, "alice"), "POST", conversionsPath+"?fieldValidation=Strict", test.body)
			var status metav1.Status
			if err := json.Unmarshal([]byte(text), &status); err != nil {
				t.Fatal(err, text)
			}
			if code != test.code || !strings.Contains(text, strings.ReplaceAll(test.want, `"`, `\"`)) && !strings.Contains(text, test.want) {
				t.Errorf("%d: %s", code, status.Message)
			}
		})
	}
}

// Tables that are not loaded yet are no mistake of the asker's.
func TestNoTablesYet(t *testing.T) {
	s := prepare(t)
	s.tables = webhook.NewTables(nil)
	s.start(t)
	code, text := s.ask(t, s.as(t, "alice"), "POST", conversionsPath, aConversion)
	if code != http.StatusServiceUnavailable || !strings.Contains(text, "no tables are loaded yet") {
		t.Errorf("%d: %s", code, text)
	}
}

// What a question takes is within the memory of the process.
func TestMemory(t *testing.T) {
	s := prepare(t)
	s.memory = 16 << 20
	s.start(t)
	s.create(t, aConversion)
	code, text := s.ask(t, s.as(t, "alice"), "POST", conversionsPath, strings.Replace(aConversion, `"version"`, `"explain":true,"version"`, 1))
	if code != http.StatusRequestEntityTooLarge || !strings.Contains(text, "16777216") {
		t.Errorf("%d: %s", code, text)
	}
	s.create(t, aConversion)
}

// slow converts when it is told to, or panics.
type slow struct {
	webhook.Converter
	begun chan struct{}
	goOn  chan struct{}
}

func (s slow) ConvertNoting(_ context.Context, _, object []byte, _ string, _ *conversion.Notes) ([]byte, error) {
	s.begun <- struct{}{}
	<-s.goOn
	if bytes.Contains(object, []byte("panic")) {
		panic("a part of the object")
	}
	return object, nil
}

// serveSlowly serves a converter that takes its time.
func serveSlowly(t *testing.T) (*served, slow) {
	t.Helper()
	s := prepare(t)
	converter := slow{s.tables.Converter("stable.example.com", "CronTab"), make(chan struct{}), make(chan struct{})}
	if err := s.tables.Replace([]webhook.Converter{converter}); err != nil {
		t.Fatal(err)
	}
	s.start(t)
	return s, converter
}

// At most sixteen are answered or wait for their turn; one more may come again.
func TestTooMany(t *testing.T) {
	s, converter := serveSlowly(t)
	answers := make(chan int)
	for range mostRequests + 1 {
		go func() {
			code, _ := s.ask(t, s.as(t, "alice"), "POST", conversionsPath, aConversion)
			answers <- code
		}()
	}
	if code := <-answers; code != http.StatusTooManyRequests {
		t.Errorf("%d", code)
	}
	for range mostRequests {
		<-converter.begun
		converter.goOn <- struct{}{}
		if code := <-answers; code != http.StatusCreated {
			t.Errorf("%d", code)
		}
	}
}

// What is being answered when the server is told to stop is answered.
func TestDrain(t *testing.T) {
	s, converter := serveSlowly(t)
	answers := make(chan int)
	go func() {
		code, _ := s.ask(t, s.as(t, "alice"), "POST", conversionsPath, aConversion)
		answers <- code
	}()
	<-converter.begun
	ended := make(chan error)
	go func() { ended <- s.stop() }()
	until(t, func() bool { // it listens no more
		code, _ := s.ask(t, s.as(t, "alice"), "GET", "/apis", "")
		return code == 0
	})
	converter.goOn <- struct{}{}
	if code := <-answers; code != http.StatusCreated {
		t.Errorf("%d", code)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// Questions take turns. A request that waits too long is rejected, and whoever ends, in whatever
// way, makes room for the next.
func TestTurns(t *testing.T) {
	s, converter := serveSlowly(t)
	answers := make(chan int)
	ask := func(name, parameters string) {
		body := strings.Replace(aConversion, `"name":"a"`, `"name":"`+name+`"`, 1)
		code, text := s.ask(t, s.as(t, "alice"), "POST", conversionsPath+parameters, body)
		if code == http.StatusInternalServerError && !strings.Contains(text, "the converter panicked; Crosswalk's log has the details") {
			t.Error(text)
		}
		answers <- code
	}
	most := max(runtime.GOMAXPROCS(0)-1, 1)
	for range most {
		go ask("panic", "")
		<-converter.begun
	}
	go ask("late", "?timeout=1s")
	if code := <-answers; code == http.StatusCreated { // the library ends the stream
		t.Errorf("late: %d", code)
	}
	for range most {
		converter.goOn <- struct{}{}
		if code := <-answers; code != http.StatusInternalServerError {
			t.Errorf("panicked: %d", code)
		}
	}
	if log := s.log.String(); !strings.Contains(log, `msg="panic while answering" panic=string stack=`) || strings.Contains(log, "a part of the object") {
		t.Error(log)
	}
	go ask("next", "")
	<-converter.begun
	converter.goOn <- struct{}{}
	if code := <-answers; code != http.StatusCreated {
		t.Errorf("next: %d", code)
	}
}
