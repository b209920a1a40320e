package hostile

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
)

const dnsName = "crosswalk.crosswalk-system.svc"

// TestHostileBodies sends 2,000 bodies of every kind.
func TestHostileBodies(t *testing.T) {
	const bodies = 2000
	crosswalk, client := serve(t)
	url := fmt.Sprintf("https://127.0.0.1:%d/convert", crosswalk.Port)
	var kinds []string
	for kind := range makers {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds) // so that a seed always means the same bodies
	random := rand.New(rand.NewPCG(1, 2))
	answers := map[int]int{}
	for n := range bodies {
		kind := kinds[n%len(kinds)]
		body := makers[kind](random)
		code, answer := post(t, client, url, body)
		answers[code]++
		if complaint := unclear(code, answer, body); complaint != "" {
			t.Errorf("%s: %s\nbody   %.300q\nanswer %d %.300q", kind, complaint, body, code, answer)
		}
		if t.Failed() && n > 100 {
			break
		}
	}
	// A generator of nothing but refusals, or of none, would test little.
	if answers[http.StatusOK] < bodies/10 || answers[http.StatusBadRequest] < bodies/10 {
		t.Errorf("answers by code: %v", answers)
	}

	code, answer := post(t, client, url, request(cron))
	if code != http.StatusOK || !strings.Contains(answer, `"host":"localhost"`) || !strings.Contains(answer, `"Success"`) {
		t.Errorf("a good review after all that: %d %s", code, answer)
	}
	select {
	case <-crosswalk.Exited():
		t.Error("Crosswalk has ended")
	default:
	}
}

// unclear says what is wrong with an answer, or "": it is either a review that
// answers this very request, converted or with the reason why not, or an HTTP
// error with a sentence.
func unclear(code int, answer, body string) string {
	if !utf8.ValidString(answer) {
		return "the answer is not UTF-8"
	}
	switch code {
	case http.StatusOK:
		var got struct {
			Kind     string
			Response struct {
				UID     string
				Result  struct{ Status, Message string }
				Objects []json.RawMessage `json:"convertedObjects"`
			}
		}
		if err := json.Unmarshal([]byte(answer), &got); err != nil {
			return err.Error()
		}
		r := got.Response
		switch {
		case got.Kind != "ConversionReview" || r.UID == "" || !strings.Contains(body, r.UID):
			return "not the answer to this request"
		case r.Result.Status == "Failure" && r.Result.Message == "":
			return "a failure without a reason"
		case r.Result.Status != "Success" && r.Result.Status != "Failure":
			return "neither Success nor Failure"
		}
		return ""
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge,
		http.StatusServiceUnavailable: // a group that no table is for, or not yet
		if len(strings.Fields(answer)) < 3 {
			return "an error without a sentence"
		}
		return ""
	}
	return "an unexpected code"
}

// serve starts Crosswalk with the CronTab example and a client that believes it.
func serve(t *testing.T) (*harness.Crosswalk, *http.Client) {
	t.Helper()
	programs, err := harness.FindPrograms()
	if err != nil {
		t.Fatal(err)
	}
	return start(t, harness.CrosswalkOptions{
		Program: programs.Racing().Crosswalk,
		Config:  []string{filepath.Join(programs.Root, "examples", "crontab")},
	})
}

// start starts Crosswalk, and returns a client that believes it.
func start(t testing.TB, o harness.CrosswalkOptions) (*harness.Crosswalk, *http.Client) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	o.Dir, o.DNSName = t.TempDir(), dnsName
	crosswalk, err := harness.StartCrosswalk(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := crosswalk.Stop(); err != nil {
			t.Error(err)
		}
	})
	ca, err := crosswalk.CA()
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(ca)
	return crosswalk, &http.Client{
		Timeout:   time.Minute,
		Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: dnsName}, MaxIdleConnsPerHost: 100},
	}
}

func post(t *testing.T, client *http.Client, url, body string) (int, string) {
	t.Helper()
	resp, err := client.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatalf("no answer to %.300q: %v", body, err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("half an answer to %.300q: %v", body, err)
	}
	return resp.StatusCode, string(bytes.TrimSpace(answer))
}
