package command

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/config"
	"github.com/crosswalk-dev/crosswalk/webhook"
)

// build is a program whose function rot13 has a revision.
func build(revision string) Options {
	o := reverses()
	f := o.Functions["rot13"]
	f.Revision = revision
	o.Functions["rot13"] = f
	return o
}

// While builds are rolled out, a replica of the next one answers the API server for the
// table of the one before. It does not answer manage, which would take it for one that
// has the same function.
func TestServeOfAnotherBuild(t *testing.T) {
	t.Parallel()
	loaded, err := config.Load([]string{noteTables})
	if err != nil {
		t.Fatal(err)
	}
	table := loaded.Tables[0]
	before, err := conversion.Compile(table.CRD, table.Crosswalk, build("v1").compiling())
	if err != nil {
		t.Fatal(err)
	}
	revision, err := cluster.NewRevision("crosswalk-system", &cluster.Table{CRD: table.CRD, Crosswalk: table.Crosswalk, Converter: before})
	if err != nil {
		t.Fatal(err)
	}
	const review = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"uid":"1","desiredAPIVersion":"example.com/v1","objects":[` + note + `]}}`
	for _, test := range []struct {
		program Options
		query   string
		want    int
	}{
		{build("v1"), "?timeout=30s", http.StatusOK},
		{build("v1"), "?" + cluster.CompiledParameter + "=" + before.Fingerprint(), http.StatusOK},
		{build("v2"), "?timeout=30s", http.StatusOK},
		{build("v2"), "?" + cluster.CompiledParameter + "=" + before.Fingerprint(), http.StatusServiceUnavailable},
	} {
		o := clusterOptions{program: test.program}
		converter, err := o.compiler().Revision(revision)
		if err != nil {
			t.Fatal(err)
		}
		tables := webhook.NewTables(nil)
		if err := tables.Replace(nil, converters([]cluster.Converter{converter})...); err != nil {
			t.Fatal(err)
		}
		request := httptest.NewRequest(http.MethodPost, cluster.ConvertPath(before.Fingerprint())+test.query, strings.NewReader(review))
		request.Header.Set("Content-Type", "application/json")
		answer := httptest.NewRecorder()
		webhook.NewHandler(webhook.Options{Tables: tables}).ServeHTTP(answer, request)
		if answer.Code != test.want {
			t.Errorf("%s of revision %s: got %d %s", test.query, test.program.Functions["rot13"].Revision, answer.Code, answer.Body)
		}
	}
}
