package webhook

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/config"
)

// crontabs returns Tables with the example's table, compiled.
func crontabs(tb testing.TB, options ...conversion.Option) *Tables {
	tb.Helper()
	c, err := config.Load([]string{"../examples/crontab"})
	if err != nil {
		tb.Fatal(err)
	}
	compiled, err := c.Compile(options...)
	if err != nil {
		tb.Fatal(err)
	}
	var converters []Converter
	for _, converter := range compiled {
		converters = append(converters, converter)
	}
	tables := NewTables(nil)
	if err := tables.Replace(converters); err != nil {
		tb.Fatal(err)
	}
	return tables
}

// crontab is a stored object of about size bytes.
func crontab(size int) string {
	head := `{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","metadata":{"annotations":{` +
		`"example.com/owner":"reports"},"creationTimestamp":"2026-01-01T00:00:00Z","generation":1,"labels":{"team":"storage"},"managedFields":[`
	tail := `],"name":"nightly","namespace":"default","resourceVersion":"12345","uid":"6f4e1d2c-0b7a-4c57-9d3e-8f1a2b3c4d5e"},` +
		`"spec":{"cronSpec":"* * * * */5","hostPort":"localhost:1234","image":"my-awesome-cron-image","replicas":3}}`
	field := `{"apiVersion":"stable.example.com/v1beta1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{".":{},"f:cronSpec":{},"f:hostPort":{},"f:image":{}}},"manager":"kubectl-%d","operation":"Update","time":"2026-01-01T00:00:00Z"}`
	var fields []string
	for n := len(head) + len(tail); n < size || fields == nil; n += len(field) {
		fields = append(fields, fmt.Sprintf(field, len(fields)))
	}
	return head + strings.Join(fields, ",") + tail
}

func crontabReview(size, count int) string {
	object := crontab(size)
	return `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"705ab4f5-6393-11e8-b7cc-42010a800002","desiredAPIVersion":"stable.example.com/v1","objects":[` +
		strings.Repeat(object+",", count-1) + object + `]},"response":null}`
}

// sink is the cheapest ResponseWriter.
type sink struct {
	header http.Header
	status int
	n      int
}

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) WriteHeader(status int)      { s.status = status }
func (s *sink) Write(p []byte) (int, error) { s.n += len(p); return len(p), nil }

// exchanger posts the same body again and again without any garbage of its own.
type exchanger struct {
	handler http.Handler
	request *http.Request
	body    bytes.Reader
	content []byte
	sink    sink
}

func newExchanger(h http.Handler, path, body string) *exchanger {
	e := &exchanger{handler: h, content: []byte(body), sink: sink{header: http.Header{}}}
	e.request, _ = http.NewRequest(http.MethodPost, path, nil)
	e.request.Header.Set("Content-Type", "application/json")
	e.request.ContentLength = int64(len(body))
	e.request.Body = io.NopCloser(&e.body)
	return e
}

func (e *exchanger) post() {
	e.body.Reset(e.content)
	clear(e.sink.header)
	e.sink.n = 0
	e.handler.ServeHTTP(&e.sink, e.request)
}

func BenchmarkHandler(b *testing.B) {
	h := NewHandler(Options{Tables: crontabs(b)})
	for _, size := range []int{1200, 10000} {
		for _, count := range []int{1, 1500} {
			b.Run(fmt.Sprintf("%dB/%d", size, count), func(b *testing.B) {
				e := newExchanger(h, "/convert", crontabReview(size, count))
				b.SetBytes(int64(len(e.content)))
				b.ReportAllocs()
				for b.Loop() {
					e.post()
				}
				if e.sink.status != 0 {
					b.Fatal(e.sink.status)
				}
			})
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	body := []byte(crontabReview(10000, 150))
	var d decoder
	var rev review
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if err := d.decode(body, &rev); err != nil {
			b.Fatal(err)
		}
	}
}
