package webhook

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	admissionv1 "k8s.io/api/admission/v1"

	"github.com/crosswalk-dev/crosswalk/validation"
)

// hostileAdmission are the classes of hostile AdmissionReviews. What can be
// answered is answered with "allowed" and the changed object.
func hostileAdmission() []hostile {
	envelope := func(request string) string {
		return `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":` + request + `}`
	}
	spec := func(value string) string { return with(`"mass":2`, `"mass":`+value) }
	without := func(member string) string { return with(member, "") }
	strings1 := []string{"name", "namespace", "operation"}
	return []hostile{
		{"cut", func(r *rand.Rand) string { return admissionUpdate[:1+r.IntN(len(admissionUpdate)-1)] }, 400, notJSON, "byte"},
		{"trailing bytes", func(r *rand.Rand) string { return admissionUpdate + pick(r, "x", "{}", ",", "]", "\x00", "\xff") }, 400, notJSON, "expected the end of the JSON"},
		{"empty", func(r *rand.Rand) string { return strings.Repeat(pick(r, " ", "\n", "\t"), r.IntN(5)) }, 400, "the body is empty; send an AdmissionReview", ""},
		{"no object", func(r *rand.Rand) string { return not(r, "{") }, 400, "the body is ", "send an AdmissionReview"},
		{"random bytes", func(r *rand.Rand) string {
			b := make([]byte, 1+r.IntN(300))
			for i := range b {
				b[i] = byte(r.IntN(256))
			}
			return "{" + string(b)
		}, 400, notJSON, "byte"},
		{"wrong kind", func(r *rand.Rand) string {
			return with(`"AdmissionReview"`, `"`+pick(r, "ConversionReview", "admissionreview", "")+`"`)
		},
			400, "kind is not AdmissionReview", ""},
		{"wrong type of kind", func(r *rand.Rand) string { return with(`"AdmissionReview"`, not(r, `"`)) }, 400, "kind is ", "instead of a string"},
		{"wrong version", func(r *rand.Rand) string {
			return with(`k8s.io/v1"`, pick(r, `k8s.io/v2"`, `k8s.io/v1/"`, `k8s.io"`))
		},
			400, "apiVersion is neither admission.k8s.io/v1 nor admission.k8s.io/v1beta1", ""},
		{"no request", func(r *rand.Rand) string {
			return pick(r, `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}`, `{"response":{},"apiVersion":"admission.k8s.io/v1beta1","kind":"AdmissionReview"}`)
		}, 400, "request is missing", ""},
		{"wrong type of request", func(r *rand.Rand) string { return envelope(not(r, "{")) }, 400, "request is ", "instead of an object"},
		{"no uid", func(r *rand.Rand) string { return pick(r, without(`"uid":"u-1",`), with(`"u-1"`, `""`)) }, 400, "request.uid is ", ""},
		{"wrong type of uid", func(r *rand.Rand) string { return with(`"u-1"`, not(r, `"`)) }, 400, "request.uid is ", "instead of a string"},
		{"wrong type of a string", func(r *rand.Rand) string {
			member := pick(r, strings1...)
			return envelope(`{"uid":"u","` + member + `":` + not(r, `"n`) + `}`)
		}, 400, "request.", "instead of a string"},
		{"wrong type of a kind", func(r *rand.Rand) string {
			return envelope(`{"uid":"u","` + pick(r, "kind", "resource", "requestKind", "requestResource", "userInfo", "object", "oldObject", "options") + `":` + not(r, "{n") + `}`)
		}, 400, "request.", "instead of an object"},
		{"wrong type in a kind", func(r *rand.Rand) string {
			return envelope(`{"uid":"u","` + pick(r, "kind", "resource") + `":{"` + pick(r, "group", "version") + `":` + not(r, `"n`) + `}}`)
		}, 400, "request.", "instead of a string"},
		{"wrong type of groups", func(r *rand.Rand) string { return with(`["astronomers","system:authenticated"]`, not(r, "[n")) },
			400, "request.userInfo.groups is ", "instead of an array"},
		{"wrong type in groups", func(r *rand.Rand) string { return with(`"system:authenticated"`, not(r, `"n`)) },
			400, "request.userInfo.groups[1] is ", "instead of a string"},
		{"wrong type in extra", func(r *rand.Rand) string { return with(`["a","b"]`, not(r, "[n")) }, 400, "request.userInfo.extra is ", "instead of an array"},
		{"wrong type of dry run", func(r *rand.Rand) string { return with(`"dryRun":false`, `"dryRun":`+not(r, "tfn")) }, 400, "request.dryRun is ", "instead of a boolean"},
		{"wrong type and then no JSON", func(r *rand.Rand) string {
			return with(`"name":"sol","namespace":"milkyway","operation"`, `"name":`+not(r, `"n`)+`,"operation"`) + "x"
		},
			400, notJSON, "expected the end of the JSON"},
		{"no operation", func(*rand.Rand) string { return without(`"operation":"UPDATE",`) }, 400, "request.operation is missing", ""},
		{"unknown operation", func(r *rand.Rand) string { return with(`UPDATE`, pick(r, "update", "PATCH", "é")) }, 400, "request.operation is not CREATE, UPDATE, DELETE or CONNECT", ""},
		{"missing object", func(r *rand.Rand) string { return with(starObject, "null") }, 400, "request.object is missing; UPDATE requires it", ""},
		{"missing old object", func(r *rand.Rand) string { return with(`"oldObject":`+oldStar, `"x":1`) }, 400, "request.oldObject is missing; UPDATE requires it", ""},
		{"missing old object of a deletion", func(r *rand.Rand) string {
			return strings.NewReplacer(`"UPDATE"`, `"DELETE"`, `"oldObject":`+oldStar, `"oldObject":null`).Replace(admissionUpdate)
		},
			400, "request.oldObject is missing; DELETE requires it", ""},

		{"deep nesting without end", func(r *rand.Rand) string { return spec(strings.Repeat(pick(r, "[", `{"a":`), 10_000+r.IntN(90_000))) },
			400, notJSON + "in request.object: byte", "nested more than 10000 levels deep"},
		{"100 levels", func(r *rand.Rand) string { return spec(strings.Repeat(`[`, 100) + strings.Repeat(`]`, 100)) }, 200, "allowed", ""},
		{"deep nesting", func(r *rand.Rand) string {
			n := 1 + r.IntN(9000)
			return spec(strings.Repeat(`{"a":[`, n/2) + strings.Repeat(`]}`, n/2))
		}, 200, "allowed", ""},
		{"duplicate keys", func(r *rand.Rand) string {
			key := pick(r, "mass", "a", "é", "")
			return spec(`{"` + key + `":1,"b":2,"` + key + `":3}`)
		}, 400, notJSON + "in request.object: byte", "occurs twice in one object"},
		{"duplicate keys in the envelope", func(r *rand.Rand) string {
			return with(`"request":{`, `"request":{"`+pick(r, "uid", "object", "operation", `u\u0069d`)+`":"u",`)
		}, 400, notJSON, "occurs twice in one object"},
		{"duplicate keys in another case", func(r *rand.Rand) string {
			return with(`"request":{`, `"REQUEST":1,"Kind":2,"request":{"UID":[],"Object":3,`)
		},
			200, "allowed", ""},
		{"invalid UTF-8", func(r *rand.Rand) string {
			return spec(`"` + pick(r, "\xff", "\xc0\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80", "a\xe2\x82") + `"`)
		},
			400, notJSON + "in request.object: byte", "UTF-8"},
		{"invalid UTF-8 in the envelope", func(r *rand.Rand) string { return with(pick(r, "jane", "UPDATE", "u-1", "astronomers"), "a\xff") }, 400, notJSON + "byte", "UTF-8"},
		{"strings that are none", func(r *rand.Rand) string {
			return spec(pick(r, `"\x"`, `"\u12g4"`, "\"\n\"", `"\ud800"`, `"\udc00\ud800"`, "'a'"))
		},
			400, notJSON + "in request.object: byte", ""},
		{"numbers that are none", func(r *rand.Rand) string { return spec(pick(r, "01", "+1", "1.", ".5", "1e", "0x10", "Infinity", "-")) },
			400, notJSON + "in request.object: byte", ""},
		{"huge numbers", func(r *rand.Rand) string {
			return spec(strings.Repeat("9", 1+r.IntN(100_000)) + pick(r, "", ".5", "e5", "e-999999999"))
		}, 200, "allowed", ""},
		{"names that pointers escape", func(r *rand.Rand) string {
			name := pick(r, "~", "/", "a/b", "~1", "~0~", "//", `\/`, `\u007e1`, `\"/`, "")
			return with(`"spec":{`, `"`+name+`":{"`+name+`":{"x":1}},"spec":{`)
		}, 200, "allowed", ""},
		{"unknown members everywhere", func(r *rand.Rand) string {
			return strings.NewReplacer(`"request":{`, `"r":`+value(r, 3)+`,"request":{"q":`+value(r, 3)+`,`, `"userInfo":{`, `"userInfo":{"z":`+value(r, 3)+`,`).Replace(spec(value(r, 5)))
		}, 200, "allowed", ""},
		{"escaped names", func(r *rand.Rand) string {
			return strings.NewReplacer(`"uid":"u-1"`, `"\u0075id":"\u0075-1"`, `"operation"`, `"oper\u0061tion"`, `"object"`, `"o\u0062ject"`).Replace(admissionUpdate)
		}, 200, "allowed", ""},
		{"many groups", func(r *rand.Rand) string {
			return with(`"astronomers",`, strings.Repeat(`"g\u00e9",null,`, 1+r.IntN(5000)))
		}, 200, "allowed", ""},
	}
}

// TestHostileAdmission sends 1,000 bodies that no API server sends to a reviewer
// that changes every object, and checks each answer, by the class of its body.
// Answers that are reviews have the right uid, and a patch that applies.
func TestHostileAdmission(t *testing.T) {
	const bodies = 1000
	metrics := NewMetrics(nil)
	h := asked(t, Options{Metrics: metrics}, judge(rewrite))
	all := hostileAdmission()
	r := rand.New(rand.NewPCG(3, 4))
	for i := range bodies {
		class := all[i%len(all)]
		body := class.body(r)
		got := post(t, h, pick(r, "/mutate/stars", "/mutate/stars?timeout=10s"), body)
		message := admissionMessage(t, body, got)
		if got.status != class.status || !strings.HasPrefix(message, class.begin) || !strings.Contains(message, class.has) {
			t.Errorf("%s: %.300q\n got %d %s\nwant %d %s…%s…", class.name, body, got.status, message, class.status, class.begin, class.has)
		}
		if len(message) > maxMessage+100 || strings.ContainsFunc(message, func(c rune) bool { return c < ' ' }) {
			t.Errorf("%s: the answer is not a sentence: %q", class.name, message)
		}
	}
	if n := testutil.ToFloat64(metrics.panics); n != 0 {
		t.Errorf("%v panics", n)
	}
	if n := testutil.ToFloat64(metrics.inFlight); n != 0 {
		t.Errorf("%v requests in flight", n)
	}
}

// rewrite changes an object here and there.
func rewrite(_ context.Context, r *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(r.Object.Raw, &object); err != nil {
		return nil, fmt.Errorf("accepted what is not JSON: %w", err)
	}
	for _, name := range slices.Collect(maps.Keys(object)) {
		if len(name)%3 == 0 {
			object["changed/"+name+"~"] = json.RawMessage(`{"a":null}`)
			delete(object, name)
		}
		if name == "spec" {
			object[name] = json.RawMessage(strings.Replace(string(object[name]), `{`, `{"9007199254740993":9007199254740993,`, 1))
		}
	}
	changed, err := json.Marshal(object)
	return &validation.Verdict{Object: changed}, err
}

// admissionMessage is the sentence of a refusal, or what a review says.
func admissionMessage(t *testing.T, body string, r reply) string {
	t.Helper()
	if r.status != http.StatusOK {
		return verdict(t, r)
	}
	sent, got := decodeReview(t, body), decodeReview(t, r.body)
	if got.Kind != sent.Kind || got.APIVersion != sent.APIVersion || got.Response == nil || got.Response.UID != sent.Request.UID || got.Response.UID == "" {
		t.Errorf("not the answer to %.300q: %s", body, r.body)
	}
	if !got.Response.Allowed || got.Response.PatchType == nil {
		return fmt.Sprintf("%+v", got.Response)
	}
	operations, err := jsonpatch.DecodePatch(got.Response.Patch)
	if err != nil {
		t.Fatalf("%v: %s", err, got.Response.Patch)
	}
	changed, err := operations.Apply(sent.Request.Object.Raw)
	if err != nil {
		t.Fatalf("%v: %s", err, got.Response.Patch)
	}
	want, err := rewrite(t.Context(), sent.Request)
	if err != nil || !reflect.DeepEqual(exact(t, changed), exact(t, want.Object)) {
		t.Errorf("%.300q becomes\n%.300s, want\n%.300s, %v", body, changed, want.Object, err)
	}
	return "allowed"
}

// exact decodes without losing a digit.
func exact(t *testing.T, text []byte) (value any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return value
}
