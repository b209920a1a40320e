package webhook

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crconversion "k8s.io/apiextensions-apiserver/pkg/apiserver/conversion"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/util/webhook"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/conversion"
)

// apiServer is the API server's own code for one CRD whose conversion names a
// Service, and the Service resolves to a real server of ours, TLS and all.
type apiServer struct {
	converter runtime.ObjectConvertor
	tables    *Tables
}

// resolver replaces the cluster's: every Service is ours.
type resolver struct{ host string }

func (r resolver) ResolveEndpoint(string, string, int32) (*url.URL, error) {
	return &url.URL{Scheme: "https", Host: r.host}, nil
}

type apiServerOptions struct {
	path          string
	reviewVersion string
	service       string // default "crosswalk"
	tables        *Tables
	maxBody       int64 // default as the handler's
}

func newAPIServer(t *testing.T, o apiServerOptions) *apiServer {
	t.Helper()
	source, err := certs.NewAuthority(certs.AuthorityOptions{Dir: t.TempDir(), Names: certs.ServiceNames("crosswalk", "system")})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{
		Handler:   NewHandler(Options{Tables: o.tables, MaxBodyBytes: o.maxBody}),
		TLSConfig: TLSConfig(source, 0),
		ErrorLog:  log.New(io.Discard, "", 0),
	}
	setTimeouts(server)
	go func() { _ = server.ServeTLS(listener, "", "") }() // ends with Close
	t.Cleanup(func() { _ = server.Close() })

	pair, err := source.Current()
	if err != nil {
		t.Fatal(err)
	}
	if o.service == "" {
		o.service = "crosswalk"
	}
	port := int32(listener.Addr().(*net.TCPAddr).Port)
	crd := crontabCRD(t)
	crd.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{
		Strategy: apiextensionsv1.WebhookConverter,
		Webhook: &apiextensionsv1.WebhookConversion{
			ConversionReviewVersions: []string{"v7", o.reviewVersion},
			ClientConfig: &apiextensionsv1.WebhookClientConfig{
				Service:  &apiextensionsv1.ServiceReference{Namespace: "system", Name: o.service, Path: &o.path, Port: &port},
				CABundle: pair.CABundle,
			},
		},
	}
	factory, err := crconversion.NewCRConverterFactory(resolver{net.JoinHostPort("127.0.0.1", strconv.Itoa(int(port)))},
		func(delegate webhook.AuthenticationInfoResolver) webhook.AuthenticationInfoResolver { return delegate })
	if err != nil {
		t.Fatal(err)
	}
	safe, _, err := factory.NewConverter(crd)
	if err != nil {
		t.Fatal(err)
	}
	return &apiServer{safe, o.tables}
}

func crontabCRD(t *testing.T) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	text, err := os.ReadFile("../examples/crontab/crd.yaml")
	if err != nil {
		t.Fatal(err)
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.Unmarshal(text, crd); err != nil {
		t.Fatal(err)
	}
	return crd
}

// convert converts as the API server does when it reads or writes.
func (s *apiServer) convert(in runtime.Object, version string) (string, error) {
	out, err := s.converter.ConvertToVersion(in, schema.GroupVersion{Group: "stable.example.com", Version: version})
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(out)
	return string(text), err
}

func object(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	u := &unstructured.Unstructured{}
	if err := json.Unmarshal([]byte(text), &u.Object); err != nil {
		t.Fatal(err)
	}
	return u
}

const (
	storedCronTab = `{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","metadata":{"annotations":{"a":"b"},"creationTimestamp":"2026-01-01T00:00:00Z","labels":{"c":"d"},"managedFields":[{"manager":"kubectl"}],"name":"nightly","namespace":"default","resourceVersion":"7","uid":"0-1"},"spec":{"cronSpec":"* * * * *","hostPort":"localhost:1234"}}`
	servedCronTab = `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"annotations":{"a":"b"},"creationTimestamp":"2026-01-01T00:00:00Z","labels":{"c":"d"},"managedFields":[{"manager":"kubectl"}],"name":"nightly","namespace":"default","resourceVersion":"7","uid":"0-1"},"spec":{"cronSpec":"* * * * *","host":"localhost","port":"1234"}}`
)

// TestAPIServerConverts drives the API server's converter, which checks the
// whole contract of a ConversionReview, against the handler over real TLS.
func TestAPIServerConverts(t *testing.T) {
	tables := crontabs(t)
	fingerprint := tables.snapshot().find([]byte("stable.example.com"), []byte("CronTab")).current.fingerprint
	for _, reviewVersion := range []string{"v1", "v1beta1"} {
		for _, path := range []string{"/convert", "/convert/" + fingerprint} {
			t.Run(reviewVersion+path, func(t *testing.T) {
				s := newAPIServer(t, apiServerOptions{path: path, reviewVersion: reviewVersion, tables: tables})
				tests := []struct{ name, in, version, want string }{
					{"up", storedCronTab, "v1", servedCronTab},
					{"down", servedCronTab, "v1beta1", storedCronTab},
					{"nothing to do", servedCronTab, "v1", servedCronTab},
					{"without labels and annotations", strings.NewReplacer(`"annotations":{"a":"b"},`, "", `"labels":{"c":"d"},`, "").Replace(storedCronTab), "v1",
						strings.NewReplacer(`"annotations":{"a":"b"},`, "", `"labels":{"c":"d"},`, "").Replace(servedCronTab)},
					{"a fragment without metadata", `{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","spec":{"hostPort":"a:1"}}`, "v1",
						`{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{},"spec":{"host":"a","port":"1"}}`},
					{"only apiVersion and kind", `{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab"}`, "v1",
						`{"apiVersion":"stable.example.com/v1","kind":"CronTab"}`},
				}
				for _, test := range tests {
					got, err := s.convert(object(t, test.in), test.version)
					if err != nil || got != test.want+"\n" && got != test.want {
						t.Errorf("%s\n got %s, %v\nwant %s", test.name, got, err, test.want)
					}
				}
			})
		}
	}
}

// TestAPIServerConvertsLists: other releases of the API server send whole
// pages, without the items that are in the desired version already.
func TestAPIServerConvertsLists(t *testing.T) {
	s := newAPIServer(t, apiServerOptions{path: "/convert", reviewVersion: "v1", tables: crontabs(t)})
	list := &unstructured.UnstructuredList{Object: map[string]any{"apiVersion": "stable.example.com/v1", "kind": "CronTabList", "metadata": map[string]any{}}}
	var want []string
	for i := range 700 {
		in, out := storedCronTab, servedCronTab
		if i%3 == 0 {
			in = servedCronTab
		}
		name := fmt.Sprintf(`"name":"nightly-%d"`, i)
		list.Items = append(list.Items, *object(t, strings.Replace(in, `"name":"nightly"`, name, 1)))
		want = append(want, strings.Replace(out, `"name":"nightly"`, name, 1))
	}
	got, err := s.converter.ConvertToVersion(list, schema.GroupVersion{Group: "stable.example.com", Version: "v1"})
	if err != nil {
		t.Fatal(err)
	}
	items := got.(*unstructured.UnstructuredList).Items
	if len(items) != len(want) {
		t.Fatalf("%d items, want %d", len(items), len(want))
	}
	for i, item := range items {
		text, err := json.Marshal(item.Object)
		if err != nil || string(text) != want[i] {
			t.Fatalf("item %d\n got %s, %v\nwant %s", i, text, err, want[i])
		}
	}
}

// TestAPIServerShowsFailures word for word.
func TestAPIServerShowsFailures(t *testing.T) {
	tests := []struct {
		name    string
		convert func(dst, object []byte, to string, notes *conversion.Notes) ([]byte, error)
		want    string
	}{
		{"an error", func(dst, _ []byte, to string, _ *conversion.Notes) ([]byte, error) {
			return dst, &conversion.Error{Kind: "CronTab", Namespace: "default", Name: "nightly", From: "v1beta1", To: to, Pointer: "/spec/hostPort", Offset: 9, Reason: "no colon"}
		}, "CronTab default/nightly: v1beta1 to v1: at /spec/hostPort (byte 9): no colon"},
		{"a panic", func([]byte, []byte, string, *conversion.Notes) ([]byte, error) { panic("boom") },
			"CronTab default/nightly: v1beta1 to v1: the converter panicked; Crosswalk's log has the details"},
	}
	for _, reviewVersion := range []string{"v1", "v1beta1"} {
		for _, test := range tests {
			tables := NewTables(nil)
			if err := tables.Replace([]Converter{&cronFake{fake{test.convert}}}); err != nil {
				t.Fatal(err)
			}
			s := newAPIServer(t, apiServerOptions{path: "/convert", reviewVersion: reviewVersion, tables: tables})
			_, err := s.convert(object(t, storedCronTab), "v1")
			want := "conversion webhook for stable.example.com/v1beta1, Kind=CronTab failed: " + test.want
			if err == nil || err.Error() != want {
				t.Errorf("%s in a review of %s\n got %v\nwant %s", test.name, reviewVersion, err, want)
			}
		}
	}
}

// cronFake is a fake for the example's kind.
type cronFake struct{ fake }

func (*cronFake) Group() string { return "stable.example.com" }
func (*cronFake) Kind() string  { return "CronTab" }

// TestAPIServerWaitsForTables: the API server asks again, so that a replica
// that has no table yet fails nobody's request.
func TestAPIServerWaitsForTables(t *testing.T) {
	loaded := *crontabs(t).current.Load()
	tables := NewTables(nil)
	s := newAPIServer(t, apiServerOptions{path: "/convert", reviewVersion: "v1", tables: tables})
	time.AfterFunc(300*time.Millisecond, func() { tables.current.Store(&loaded) })
	got, err := s.convert(object(t, storedCronTab), "v1")
	if err != nil || got != servedCronTab {
		t.Errorf("got %s, %v", got, err)
	}
}

// TestAPIServerTrustsOneService: the certificate is good for our Service only.
func TestAPIServerTrustsOneService(t *testing.T) {
	s := newAPIServer(t, apiServerOptions{path: "/convert", reviewVersion: "v1", service: "other", tables: crontabs(t)})
	_, err := s.convert(object(t, storedCronTab), "v1")
	if err == nil || !strings.Contains(err.Error(), "x509: certificate is valid for crosswalk.system.svc, crosswalk.system.svc.cluster.local, crosswalk.system, not other.system.svc") {
		t.Errorf("got %v", err)
	}
}

// TestAPIServerShowsRefusals: what no review can answer is a sentence for the
// user, too.
func TestAPIServerShowsRefusals(t *testing.T) {
	huge := strings.Replace(storedCronTab, "* * * * *", strings.Repeat("*", 2000), 1)
	tests := []struct{ path, in, want string }{
		{"/elsewhere", storedCronTab, "this path does not exist; use /convert or /convert/{fingerprint of a table}"},
		{"/convert", huge, "the body is larger than 1500 bytes, the limit of this server"},
	}
	for _, test := range tests {
		s := newAPIServer(t, apiServerOptions{path: test.path, reviewVersion: "v1", tables: crontabs(t), maxBody: 1500})
		_, err := s.convert(object(t, test.in), "v1")
		want := "conversion webhook for stable.example.com/v1beta1, Kind=CronTab failed: " + test.want
		if err == nil || err.Error() != want {
			t.Errorf("%s\n got %v\nwant %s", test.path, err, want)
		}
	}
}
