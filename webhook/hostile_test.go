package webhook

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
)

// hostile is a class of bodies, and what every one of its answers says.
type hostile struct {
	name   string
	body   func(*rand.Rand) string
	status int
	// begin is how the sentence or the message begins, has what it contains.
	begin, has string
}

func pick(r *rand.Rand, from ...string) string { return from[r.IntN(len(from))] }

// value is a random JSON value.
func value(r *rand.Rand, depth int) string {
	switch n := r.IntN(8); {
	case n == 0 && depth > 0:
		return `{"` + fmt.Sprint(r.IntN(100)) + `":` + value(r, depth-1) + `}`
	case n == 1 && depth > 0:
		return `[` + value(r, depth-1) + `,` + value(r, depth-1) + `]`
	default:
		return pick(r, "null", "true", "false", "0", "-1.5e300", `""`, `"a\u00e9\ud83d\ude00b"`, "{}", "[]", "9223372036854775808")
	}
}

// not is a random JSON value that begins with none of these bytes.
func not(r *rand.Rand, first string) string {
	for {
		if v := value(r, 2); !strings.Contains(first, v[:1]) {
			return v
		}
	}
}

const notJSON = "the body is not valid JSON: "

// hostileClasses are the classes of hostile bodies. valid is a review that the server answers.
func hostileClasses(valid string) []hostile {
	envelope := func(request string) string {
		return `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":` + request + `}`
	}
	object := func(spec string) string {
		return strings.Replace(valid, `"spec":{`, `"spec":{"x":`+spec+`,`, 1)
	}
	return []hostile{
		{"cut", func(r *rand.Rand) string { return valid[:1+r.IntN(len(valid)-1)] }, 400, notJSON, "byte"},
		{"trailing bytes", func(r *rand.Rand) string { return valid + pick(r, "x", "{}", ",", "]", "\x00", "\xff") }, 400, notJSON, "expected the end of the JSON"},
		{"random bytes", func(r *rand.Rand) string {
			b := make([]byte, 1+r.IntN(300))
			for i := range b {
				b[i] = byte(r.IntN(256))
			}
			return "{" + string(b)
		}, 400, notJSON, "byte"},
		{"empty", func(r *rand.Rand) string { return strings.Repeat(pick(r, " ", "\n", "\t"), r.IntN(5)) }, 400, "the body is empty; send a ConversionReview", ""},
		{"no object", func(r *rand.Rand) string { return not(r, "{") }, 400, "the body is ", "send a ConversionReview"},
		{"wrong type of request", func(r *rand.Rand) string { return envelope(not(r, "{")) }, 400, "request is ", "instead of an object"},
		{"wrong type of uid", func(r *rand.Rand) string {
			return envelope(`{"uid":` + not(r, `"`) + `,"desiredAPIVersion":"stable.example.com/v1"}`)
		},
			400, "request.uid is ", "instead of a string"},
		{"wrong type of version", func(r *rand.Rand) string { return envelope(`{"desiredAPIVersion":` + not(r, `"`) + `,"uid":"u"}`) },
			400, "request.desiredAPIVersion is ", "instead of a string"},
		{"wrong type of objects", func(r *rand.Rand) string {
			return envelope(`{"objects":` + not(r, "[n") + `,"uid":"u","desiredAPIVersion":"stable.example.com/v1"}`)
		}, 400, "request.objects is ", "instead of an array"},
		{"wrong type of an object", func(r *rand.Rand) string {
			return envelope(`{"objects":[` + not(r, "{") + `],"uid":"u","desiredAPIVersion":"stable.example.com/v1"}`)
		}, 200, "Failure: request.objects[0] is ", "instead of an object"},
		{"many entries", func(r *rand.Rand) string {
			return envelope(`{"uid":"u","desiredAPIVersion":"stable.example.com/v1","objects":[` + strings.Repeat(pick(r, "{}", `{"kind":""}`)+",", r.IntN(20_000)) + `{}]}`)
		}, 200, "Failure: request.objects[0] has no kind", ""},
		{"wrong type of kind", func(r *rand.Rand) string {
			return envelope(`{"objects":[{"kind":` + not(r, `"`) + `}],"uid":"u","desiredAPIVersion":"stable.example.com/v1"}`)
		}, 200, "Failure: request.objects[0] has no kind", ""},
		{"wrong type of metadata", func(r *rand.Rand) string {
			return envelope(`{"objects":[{"kind":"CronTab","apiVersion":"stable.example.com/v1beta1","metadata":` + not(r, "{n") + `}],"uid":"u","desiredAPIVersion":"stable.example.com/v1"}`)
		}, 200, "Failure: CronTab: v1beta1 to v1: ", "metadata"},
		{"wrong type of apiVersion", func(r *rand.Rand) string {
			return envelope(`{"objects":[{"kind":"CronTab","apiVersion":` + not(r, `"`) + `}],"uid":"u","desiredAPIVersion":"stable.example.com/v1"}`)
		}, 200, "Failure: CronTab: ", "apiVersion"},
		{"undeclared version", func(r *rand.Rand) string {
			return strings.Replace(valid, `"stable.example.com/v1"`, fmt.Sprintf(`"stable.example.com/v%d"`, 2+r.IntN(1000)), 1)
		}, 200, "Failure: CronTab ", "version"},
		{"undeclared version of an object", func(r *rand.Rand) string {
			return strings.Replace(valid, `"stable.example.com/v1beta1"`, fmt.Sprintf(`"stable.example.com/v%d"`, 2+r.IntN(1000)), 1)
		}, 200, "Failure: CronTab ", "apiVersion"},
		{"unknown kind", func(r *rand.Rand) string {
			return strings.ReplaceAll(valid, "CronTab", fmt.Sprintf("Cron%d", r.IntN(1000)))
		}, 503, "no table is loaded yet for kind Cron", "of group stable.example.com"},
		{"deep nesting", func(r *rand.Rand) string {
			n := 10_000 + r.IntN(90_000)
			return object(strings.Repeat(pick(r, "[", `{"a":`), n))
		}, 400, notJSON + "in request.objects[0]: byte", "nested more than 10000 levels deep"},
		{"deep nesting in the envelope", func(r *rand.Rand) string { return `{"x":` + strings.Repeat(pick(r, "[", `{"a":`), 20_000) },
			400, notJSON + "byte", "nested more than 10000 levels deep"},
		{"deep nesting that ends", func(r *rand.Rand) string {
			n := 1 + r.IntN(3000)
			return object(strings.Repeat(`[`, n) + strings.Repeat(`]`, n))
		}, 200, "Success", ""},
		{"duplicate keys", func(r *rand.Rand) string {
			key := pick(r, "kind", "metadata", "a", "é", "")
			return object(`{"` + key + `":1,"b":2,"` + key + `":3}`)
		}, 400, notJSON + "in request.objects[0]: byte", "occurs twice in one object"},
		{"duplicate keys in the envelope", func(r *rand.Rand) string {
			return strings.Replace(valid, `"request":{`, `"request":{"`+pick(r, "uid", "objects", "desiredAPIVersion", `u\u0069d`)+`":"u",`, 1)
		}, 400, notJSON, "occurs twice in one object"},
		{"huge numbers", func(r *rand.Rand) string {
			return object(strings.Repeat("9", 1+r.IntN(100_000)) + pick(r, "", ".5", "e5", "e-999999999"))
		}, 200, "Success", ""},
		{"numbers that are none", func(r *rand.Rand) string {
			return object(pick(r, "01", "+1", "1.", ".5", "1e", "0x10", "Infinity", "-"))
		},
			400, notJSON + "in request.objects[0]: byte", ""},
		{"invalid UTF-8", func(r *rand.Rand) string {
			return object(`"` + pick(r, "\xff", "\xc0\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80", "a\xe2\x82") + `"`)
		}, 400, notJSON + "in request.objects[0]: byte", "UTF-8"},
		{"strings that are none", func(r *rand.Rand) string {
			return object(pick(r, `"\x"`, `"\u12g4"`, "\"\n\"", `"\ud800"`, `"\udc00\ud800"`, "'a'"))
		},
			400, notJSON + "in request.objects[0]: byte", ""},
		{"objects before uid", func(r *rand.Rand) string {
			i, j := strings.Index(valid, `"objects":[`), strings.LastIndex(valid, `]}`)
			return envelope(`{` + valid[i:j+1] + `,"desiredAPIVersion":"stable.example.com/v1","x":` + value(r, 3) + `,"uid":"u"}`)
		}, 200, "Success", ""},
		{"unknown members everywhere", func(r *rand.Rand) string {
			return strings.NewReplacer(`"request":{`, `"r":`+value(r, 3)+`,"request":{"q":`+value(r, 3)+`,`).Replace(object(value(r, 5)))
		}, 200, "Success", ""},
		{"other types in the spec", func(r *rand.Rand) string {
			return strings.Replace(valid, `"hostPort":"localhost:1234"`, `"hostPort":`+value(r, 4), 1)
		}, 200, "Success", ""},
	}
}

// TestHostileBodies sends 2,000 bodies that no API server sends to the engine
// with the example's table. Each answer is checked by the class of its body,
// and the server is as healthy as before.
func TestHostileBodies(t *testing.T) {
	const bodies = 2000
	registry := prometheus.NewRegistry()
	metrics := NewMetrics(registry)
	h := NewHandler(Options{Tables: crontabs(t), Metrics: metrics})
	valid := crontabReview(1200, 1)
	before := post(t, h, "/convert", valid)
	all := hostileClasses(valid)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range bodies {
		class := all[i%len(all)]
		body := class.body(r)
		got := post(t, h, "/convert", body)
		message := verdict(t, got)
		if got.status != class.status || !strings.HasPrefix(message, class.begin) || !strings.Contains(message, class.has) {
			t.Errorf("%s: %.300q\n got %d %s\nwant %d %s…%s…", class.name, body, got.status, message, class.status, class.begin, class.has)
		}
		if len(message) > maxMessage+100 || strings.ContainsFunc(message, func(c rune) bool { return c < ' ' }) {
			t.Errorf("%s: the answer is not a sentence: %q", class.name, message)
		}
	}
	if after := post(t, h, "/convert", valid); after.status != http.StatusOK || after.body != before.body {
		t.Errorf("another answer than before: %d %s", after.status, after.body)
	}
	if n := testutil.ToFloat64(metrics.panics); n != 0 {
		t.Errorf("%v panics", n)
	}
	if n := testutil.ToFloat64(metrics.inFlight); n != 0 {
		t.Errorf("%v requests in flight", n)
	}
}

// verdict is the sentence of a refusal, or the result of a review.
func verdict(t *testing.T, r reply) string {
	t.Helper()
	if r.status != http.StatusOK {
		var status struct{ Kind, Message string }
		if err := json.Unmarshal([]byte(r.body), &status); err != nil || status.Kind != "Status" || status.Message == "" {
			t.Fatalf("no sentence: %v, %q", err, r.body)
		}
		return status.Message
	}
	var review struct {
		Kind, APIVersion string
		Response         struct {
			UID              string
			ConvertedObjects []struct{ APIVersion string }
			Result           struct{ Status, Message string }
		}
	}
	if err := json.Unmarshal([]byte(r.body), &review); err != nil {
		t.Fatalf("%v: %s", err, r.body)
	}
	if review.Kind != "ConversionReview" || review.APIVersion != "apiextensions.k8s.io/v1" || review.Response.UID == "" {
		t.Errorf("not a review: %s", r.body)
	}
	if review.Response.Result.Status == "Success" {
		for _, object := range review.Response.ConvertedObjects {
			if object.APIVersion != "stable.example.com/v1" {
				t.Errorf("not in the desired version: %v", object.APIVersion)
			}
		}
		return "Success"
	}
	return review.Response.Result.Status + ": " + review.Response.Result.Message
}
