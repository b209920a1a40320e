package jsontext

import (
	"fmt"
	"strings"
	"testing"
)

// object is like what the API server sends: short names, short strings,
// managedFields.
func object() []byte {
	var fields []string
	for i := range 40 {
		fields = append(fields, fmt.Sprintf(`"f:field%d":{".":{},"f:name":{},"f:value":{}}`, i))
	}
	var items []string
	for i := range 40 {
		items = append(items, fmt.Sprintf(`{"name":"item-%d","value":"something of ordinary length","port":%d,"ready":true}`, i, 8000+i))
	}
	return []byte(`{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"managedFields":[{"fieldsV1":{` + strings.Join(fields, ",") +
		`}}]},"spec":{"items":[` + strings.Join(items, ",") + `]}}`)
}

func BenchmarkValue(b *testing.B) {
	src := object()
	var s Scanner
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		s.Reset(src)
		if _, err := s.Document(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSkim(b *testing.B) {
	src := object()
	var s Scanner
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		s.Reset(src)
		if _, err := s.Skim(0); err != nil {
			b.Fatal(err)
		}
	}
}
