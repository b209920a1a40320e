package arming

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manage/rehearsal"
)

// serveTLS serves with a source's certificate, and returns the address.
func serveTLS(t *testing.T, source certs.Source, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.TLS = &tls.Config{GetCertificate: certs.GetCertificate(source)}
	server.Config.ErrorLog = nil
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

// converting answers reviews by a table, and lets a test spoil the answer.
func converting(t *testing.T, table *cluster.Table, spoil func(*apiextensionsv1.ConversionReview)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if want := "/convert/" + table.Converter.Fingerprint(); r.URL.Path != want || r.URL.RawQuery != "compiled="+table.Converter.Fingerprint() {
			t.Errorf("asked for %s, want %s", r.URL, want)
		}
		body, err := io.ReadAll(r.Body)
		review := new(apiextensionsv1.ConversionReview)
		if err != nil || json.Unmarshal(body, review) != nil {
			t.Errorf("%v: %s", err, body)
		}
		review.Response = &apiextensionsv1.ConversionResponse{UID: review.Request.UID, Result: metav1.Status{Status: "Success"}}
		to := strings.TrimPrefix(review.Request.DesiredAPIVersion, table.Converter.Group()+"/")
		for _, object := range review.Request.Objects {
			out, err := table.Converter.Convert(nil, object.Raw, to)
			if err != nil {
				t.Error(err)
			}
			review.Response.ConvertedObjects = append(review.Response.ConvertedObjects, runtime.RawExtension{Raw: out})
		}
		review.Request = nil
		if spoil != nil {
			spoil(review)
		}
		_ = json.NewEncoder(w).Encode(review)
	}
}

func TestProbe(t *testing.T) {
	table := crontab(t)
	r := newReconciler(t)
	bundle, problem := r.Serve.Bundle(t.Context())
	if problem != nil {
		t.Fatal(problem)
	}
	status := func(code int, message string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(code)
			_ = json.NewEncoder(w).Encode(metav1.Status{Message: message})
		}
	}
	for name, test := range map[string]struct {
		handler http.HandlerFunc
		want    string
	}{
		"right": {converting(t, table, nil), ""},
		"not loaded": {status(503, "the table is not loaded yet"),
			"503 Service Unavailable: the table is not loaded yet"},
		"no JSON": {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") },
			"the answer is not a ConversionReview: invalid character 'h' looking for beginning of value"},
		"another uid": {converting(t, table, func(r *apiextensionsv1.ConversionReview) { r.Response.UID = "2" }),
			"the server is not a conversion webhook: its review has no response with our uid"},
		"a failure": {converting(t, table, func(r *apiextensionsv1.ConversionReview) {
			r.Response.Result = metav1.Status{Status: "Failure", Message: "no"}
		}), "it failed to convert: no"},
		"too few": {converting(t, table, func(r *apiextensionsv1.ConversionReview) { r.Response.ConvertedObjects = nil }),
			"it returned 0 objects instead of 1"},
		"wrong": {converting(t, table, func(r *apiextensionsv1.ConversionReview) {
			r.Response.ConvertedObjects[0].Raw = []byte(`{"kind":"CronTab"}`)
		}), `it converts {"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"crosswalk-probe"}} to {"kind":"CronTab"}, ` +
			`but with the same table this process converts it to {"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","metadata":{"name":"crosswalk-probe"}}; is the replica of another release?`},
	} {
		t.Run(name, func(t *testing.T) {
			err := r.probe(table.Current(), bundle, new(bool)).try(t.Context(), serveTLS(t, r.Serve.Certs, test.handler))
			got := ""
			if err != nil {
				got = err.Error()
			}
			if got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
	// A replica may be a build that lacks what the table calls.
	t.Run("functions", func(t *testing.T) {
		err := r.probe(calling(t), bundle, new(bool)).try(t.Context(), serveTLS(t, r.Serve.Certs, status(503, "the table is not loaded yet")))
		if want := "503 Service Unavailable: the table is not loaded yet; the table calls Go functions, cut, join: is this replica a build that has them?"; err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	})
	// A message that differed each time would be a new status each time.
	t.Run("hanging up", func(t *testing.T) {
		address := serveTLS(t, r.Serve.Certs, func(w http.ResponseWriter, _ *http.Request) {
			connection, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				connection.Close()
			}
		})
		first, second := r.probe(table.Current(), bundle, new(bool)).try(t.Context(), address), r.probe(table.Current(), bundle, new(bool)).try(t.Context(), address)
		if first == nil || second == nil || first.Error() != second.Error() {
			t.Errorf("got %v, then %v", first, second)
		}
	})
	t.Run("another CA", func(t *testing.T) {
		err := r.probe(table.Current(), bundle, new(bool)).try(t.Context(), serveTLS(t, rehearsal.Authority(t), converting(t, table, nil)))
		if err == nil || !strings.Contains(err.Error(), "certificate signed by unknown authority") {
			t.Errorf("got %v", err)
		}
	})
}

// A replica tells how long ago it has found no place for a value that is stored.
func TestProbeHearsOfUnplaced(t *testing.T) {
	table := crontab(t)
	r := newReconciler(t)
	bundle, problem := r.Serve.Bundle(t.Context())
	if problem != nil {
		t.Fatal(problem)
	}
	for _, test := range []struct {
		header string
		want   bool
	}{{"", false}, {"0", true}, {"3599", true}, {"3600", false}, {"soon", false}} {
		answer := converting(t, table, nil)
		address := serveTLS(t, r.Serve.Certs, func(w http.ResponseWriter, r *http.Request) {
			if test.header != "" {
				w.Header().Set(cluster.UnplacedHeader, test.header)
			}
			answer(w, r)
		})
		got := false
		if err := r.probe(table.Current(), bundle, &got).try(t.Context(), address); err != nil || got != test.want {
			t.Errorf("%s: %q is heard as %v: %v", cluster.UnplacedHeader, test.header, got, err)
		}
	}
}

// Every ready replica must answer before the Service is asked.
func TestTryReplicas(t *testing.T) {
	table := crontab(t)
	r := newReconciler(t)
	bundle, _ := r.Serve.Bundle(t.Context())
	good := serveTLS(t, r.Serve.Certs, converting(t, table, nil))
	bad := serveTLS(t, r.Serve.Certs, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) })
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone.Close()
	down := gone.Addr().String()
	const nobody = "no replica of serve is ready behind the Service crosswalk-system/crosswalk; see kubectl -n crosswalk-system get deployments,pods"
	for name, test := range map[string]struct {
		replicas []string
		ready    map[string]bool // of EndpointSlices
		want     string
	}{
		"all":                 {replicas: []string{good, good}},
		"one is down":         {replicas: []string{down, good}},
		"one is behind":       {replicas: []string{good, bad}, want: "the replica " + bad + " does not answer: 503 Service Unavailable"},
		"all are down":        {replicas: []string{down}, want: nobody},
		"a slice":             {ready: map[string]bool{good: true}},
		"not ready":           {ready: map[string]bool{good: true, bad: false}},
		"ready and behind":    {ready: map[string]bool{good: true, bad: true}, want: "the replica pod-" + port(bad) + " does not answer: 503 Service Unavailable"},
		"nobody":              {want: nobody},
		"nobody that's ready": {ready: map[string]bool{good: false}, want: nobody},
	} {
		t.Run(name, func(t *testing.T) {
			r := newReconciler(t, &corev1.Service{
				ObjectMeta: metav1.ObjectMeta{Namespace: "crosswalk-system", Name: "crosswalk"},
				Spec:       corev1.ServiceSpec{Ports: []corev1.ServicePort{{Name: "metrics", Port: 80}, {Name: "https", Port: 443}}},
			})
			for address, ready := range test.ready {
				if err := r.writer.Create(t.Context(), slice(t, address, ready)); err != nil {
					t.Fatal(err)
				}
			}
			r.Serve.Replicas = test.replicas
			problem, err := r.Serve.AskReplicas(t.Context(), r.probe(table.Current(), bundle, new(bool)).try)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if problem != nil {
				got = problem.Message
			}
			if got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func slice(t *testing.T, address string, ready bool) *discoveryv1.EndpointSlice {
	t.Helper()
	number, err := strconv.Atoi(port(address))
	if err != nil {
		t.Fatal(err)
	}
	return &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{Namespace: "crosswalk-system", Name: "s-" + port(address),
			Labels: map[string]string{discoveryv1.LabelServiceName: "crosswalk"}},
		Ports: []discoveryv1.EndpointPort{{Name: new("https"), Port: new(int32(number))}, {Name: new("metrics"), Port: new(int32(1))}},
		Endpoints: []discoveryv1.Endpoint{{
			Addresses: []string{"127.0.0.1"}, Conditions: discoveryv1.EndpointConditions{Ready: &ready},
			TargetRef: &corev1.ObjectReference{Kind: "Pod", Name: "pod-" + port(address)},
		}},
	}
}

func port(address string) string { return address[strings.LastIndexByte(address, ':')+1:] }
