package bulk

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// lister is an API server that lists objects named by single letters, in v1 and v2.
type lister struct {
	names   string
	broken  string // a version in which no list can be read
	expires bool   // every token is expired when it is used
	asked   []string
}

func (l *lister) RoundTrip(r *http.Request) (*http.Response, error) {
	version, query := strings.Trim(r.URL.Path, "/"), r.URL.Query()
	l.asked = append(l.asked, strings.TrimSuffix(version+" "+query.Get("continue"), " "))
	failure := func(code int, s metav1.Status) (*http.Response, error) {
		s.Status, s.Code = metav1.StatusFailure, int32(code)
		s.Kind, s.APIVersion = "Status", "v1"
		return answer(r, code, s), nil
	}
	if version == l.broken {
		return failure(http.StatusInternalServerError, metav1.Status{Reason: metav1.StatusReasonInternalError, Message: "conversion webhook failed"})
	}
	after := query.Get("continue")
	if l.expires && strings.HasPrefix(after, "old-") {
		return failure(http.StatusGone, metav1.Status{Reason: metav1.StatusReasonExpired, ListMeta: metav1.ListMeta{Continue: strings.TrimPrefix(after, "old-")}})
	}
	from := strings.Index(l.names, strings.TrimPrefix(after, "old-")) + len(strings.TrimPrefix(after, "old-"))
	var limit int
	fmt.Sscan(query.Get("limit"), &limit)
	upTo := min(len(l.names), from+limit)
	list := map[string]any{"metadata": map[string]any{}}
	if upTo < len(l.names) {
		list["metadata"] = map[string]any{"continue": "old-" + l.names[upTo-1:upTo], "remainingItemCount": len(l.names) - upTo}
	}
	list["items"] = strings.Split(l.names[from:upTo], "")
	return answer(r, http.StatusOK, list), nil
}

func answer(r *http.Request, code int, body any) *http.Response {
	text, _ := json.Marshal(body)
	return &http.Response{StatusCode: code, Request: r, Header: http.Header{"Content-Type": {JSON}}, Body: io.NopCloser(strings.NewReader(string(text)))}
}

// all reads the whole list, two objects at a time.
func (l *lister) all(t *testing.T, versions ...string) (got []string, err error) {
	t.Helper()
	client, err := NewClient(&rest.Config{Host: "http://127.0.0.1", Transport: l}, 0)
	if err != nil {
		t.Fatal(err)
	}
	list := &List[string]{Client: client, Path: func(version string) string { return "/" + version }, Versions: versions, Key: func(name string) string { return name }}
	for at := new(Cursor); !at.Listed; {
		page, err := list.Next(t.Context(), 2, at)
		if err != nil {
			return got, err
		}
		for _, item := range page.Items {
			got = append(got, page.Version+" "+item)
		}
		list.Pass(at, page)
	}
	return got, nil
}

func TestPages(t *testing.T) {
	tests := map[string]struct {
		api         lister
		want, asked string
	}{
		"none":                       {lister{}, "", "v1"},
		"one page":                   {lister{names: "ab"}, "v1 a, v1 b", "v1"},
		"three pages":                {lister{names: "abcde"}, "v1 a, v1 b, v1 c, v1 d, v1 e", "v1, v1 old-b, v1 old-d"},
		"tokens expire":              {lister{names: "abcd", expires: true}, "v1 a, v1 b, v1 c, v1 d", "v1, v1 old-b, v1 b"},
		"one version cannot be read": {lister{names: "abc", broken: "v1"}, "v2 a, v2 b, v2 c", strings.Repeat("v1, ", BrokenTries) + "v2, v2 old-b"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				got, err := test.api.all(t, "v1", "v2")
				if err != nil || strings.Join(got, ", ") != test.want {
					t.Errorf("read %s, %v; want %s", got, err, test.want)
				}
				if asked := strings.Join(test.api.asked, ", "); asked != test.asked {
					t.Errorf("asked for %s, want %s", asked, test.asked)
				}
			})
		})
	}
}
