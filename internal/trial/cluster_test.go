package trial

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
)

const crontabs = "/apis/stable.example.com/%s/crontabs"

// cluster answers lists: two pages of v1, and nothing but an error of other versions.
func cluster(t *testing.T, status int) *rest.Config {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			t.Errorf("got a %s", r.Method)
		}
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path != fmt.Sprintf(crontabs, "v1") {
			w.WriteHeader(status)
			fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"no","code":%d}`, status)
			return
		}
		if r.URL.Query().Get("limit") == "" {
			t.Error("a list without pages")
		}
		name, next := "a", "more"
		if r.URL.Query().Get("continue") == "more" {
			name, next = "b", ""
		}
		fmt.Fprintf(w, `{"kind":"CronTabList","apiVersion":"stable.example.com/v1","metadata":{"resourceVersion":"1","continue":%q},"items":[
{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":%q,"namespace":"default"},"spec":{"cronSpec":"* * * * *","image":"i","host":"h","port":"1"}}]}`, next, name)
	}))
	t.Cleanup(server.Close)
	return &rest.Config{Host: server.URL}
}

func TestRunCluster(t *testing.T) {
	t.Parallel()
	trial := crontab(t, Options{Seed: 1})
	if err := trial.RunCluster(t.Context(), cluster(t, http.StatusNotFound)); err != nil {
		t.Fatal(err)
	}
	r := trial.Report("")
	one := r.Crosswalks[0]
	if one.Samples != 2 || !r.Holds || r.Cases == 0 || strings.Join(one.Notes, "") != "the cluster does not serve crontabs.stable.example.com in v1beta1" {
		t.Errorf("got %d samples\n%s", one.Samples, r.Text())
	}
}

func TestRunClusterFinds(t *testing.T) {
	t.Parallel()
	trial := crontab(t, Options{Seed: 1, Compile: compileWrong})
	if err := trial.RunCluster(t.Context(), cluster(t, http.StatusNotFound)); err != nil {
		t.Fatal(err)
	}
	if c := trial.Report("").Crosswalks[0].Laws[0].Counterexample; c == nil || c.Sample != "CronTab default/a of the cluster, in v1" {
		t.Errorf("got %+v", c)
	}
}

func TestRunClusterFails(t *testing.T) {
	t.Parallel()
	trial := crontab(t, Options{Seed: 1})
	err := trial.RunCluster(t.Context(), cluster(t, http.StatusForbidden))
	if err == nil || !strings.HasPrefix(err.Error(), "listing crontabs.stable.example.com in v1beta1: ") {
		t.Errorf("got %v", err)
	}
	nothing := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(nothing.Close)
	err = crontab(t, Options{}).RunCluster(t.Context(), &rest.Config{Host: nothing.URL})
	if !errors.Is(err, ErrNotInCluster) || !strings.Contains(err.Error(), "CronTab (stable.example.com)") {
		t.Errorf("got %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	trial = crontab(t, Options{})
	if err := trial.RunCluster(ended, cluster(t, http.StatusNotFound)); err != nil || !trial.Report("").Interrupted {
		t.Errorf("got %v", err)
	}
}
