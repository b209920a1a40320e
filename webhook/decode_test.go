package webhook

import (
	"errors"
	"net/http"
	"strings"
	"testing"
)

// TestDecodeRefuses gives the sentence for everything that no review can answer.
func TestDecodeRefuses(t *testing.T) {
	const head = `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"u","desiredAPIVersion":"sky.dev/v1","objects":`
	const notJSON = "the body is not valid JSON: "
	in := func(request string) string {
		return `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":` + request + `}`
	}
	tests := []struct{ name, body, want string }{
		{"nothing", "", "the body is empty; send a ConversionReview"},
		{"white space", " \r\n\t", "the body is empty; send a ConversionReview"},
		{"an array", "[1,2]", "the body is an array; send a ConversionReview"},
		{"a number", "12", "the body is a number; send a ConversionReview"},
		{"null", "null", "the body is null; send a ConversionReview"},
		{"a boolean", " true ", "the body is a boolean; send a ConversionReview"},
		{"a string", `"ConversionReview"`, "the body is a string; send a ConversionReview"},
		{"no JSON", "hello", notJSON + `byte 0: unexpected 'h'; expected a value`},
		{"an empty object", "{}", "kind is missing"},
		{"no apiVersion", `{"kind":"ConversionReview"}`, "apiVersion is missing"},
		{"a kind that is no string", `{"kind":3}`, "kind is a number instead of a string"},
		{"another kind", `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}`, "kind is not ConversionReview"},
		{"another version", `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v2"}`,
			"apiVersion is neither apiextensions.k8s.io/v1 nor apiextensions.k8s.io/v1beta1"},
		{"no request", `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1"}`, "request is missing"},
		{"a null request", in("null"), "request is null instead of an object"},
		{"a list of requests", in("[{}]"), "request is an array instead of an object"},
		{"no uid", in("{}"), "request.uid is missing"},
		{"an empty uid", in(`{"uid":""}`), "request.uid is empty"},
		{"a uid that is no string", in(`{"uid":1}`), "request.uid is a number instead of a string"},
		{"a uid in other letters", in(`{"UID":"u"}`), "request.uid is missing"},
		{"no desired version", in(`{"uid":"u"}`), "request.desiredAPIVersion is missing"},
		{"a desired version without group", in(`{"uid":"u","desiredAPIVersion":"v1"}`), "request.desiredAPIVersion is not of the form group/version"},
		{"a desired version with two slashes", in(`{"uid":"u","desiredAPIVersion":"a/b/c"}`), "request.desiredAPIVersion is not of the form group/version"},
		{"a desired version with an empty half", in(`{"uid":"u","desiredAPIVersion":"a/"}`), "request.desiredAPIVersion is not of the form group/version"},
		{"objects that are an object", head + `{}}}`, "request.objects is an object instead of an array"},
		{"cut in the head", head[:60], notJSON + "byte 40: the string has no end"},
		{"cut before the objects", head, notJSON + "byte 130: the JSON ends too early; expected a value"},
		{"cut in an object", head + `[{"a":1},{"kind":"Star"`, notJSON + "in request.objects[1]: byte 153: the JSON ends too early; expected a comma or }"},
		{"cut after the objects", head + `[]}`, notJSON + "byte 133: the JSON ends too early; expected a comma or }"},
		{"a comma too many", head + `[{},]}}`, notJSON + "in request.objects[1]: byte 134: unexpected ']'; expected a value"},
		{"something after the review", head + `[]}} {}`, notJSON + "byte 135: unexpected '{'; expected the end of the JSON"},
		{"a member twice in the review", `{"kind":"ConversionReview","kind":"x"}`, notJSON + `byte 27: the member "kind" occurs twice in one object`},
		{"a member twice in the request", in(`{"uid":"a","u\u0069d":"b"}`), notJSON + `byte 87: the member "u\\u0069d" occurs twice in one object`},
		{"a member twice in an object", head + `[{"spec":{"a":1,"a":2}}]}}`, notJSON + `in request.objects[0]: byte 146: the member "a" occurs twice in one object`},
		{"invalid UTF-8", head + "[{\"a\":\"\xff\"}]}}", notJSON + "in request.objects[0]: byte 137: invalid UTF-8 in a string"},
		{"a lone surrogate", head + `[{"a":"\ud800"}]}}`, notJSON + "in request.objects[0]: byte 137: a lone surrogate is not a character"},
		{"a byte order mark", "\xef\xbb\xbf{}", notJSON + "byte 0: unexpected 'ï'; expected a value"},
		{"NaN", head + `[{"a":NaN}]}}`, notJSON + `in request.objects[0]: byte 136: unexpected 'N'; expected a value`},
		{"a number with a leading zero", head + `[{"a":01}]}}`, notJSON + `in request.objects[0]: byte 137: unexpected '1'; expected a comma or }`},
		{"too deep", head + strings.Repeat("[", 20000), notJSON + "in request.objects[0]: byte 10128: nested more than 10000 levels deep"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var d decoder
			var rev review
			err := d.validate([]byte(test.body))
			var refused *httpError
			if !errors.As(err, &refused) {
				t.Fatalf("got %v, want an *httpError", err)
			}
			// Skimming either says the same or leaves it to the converters.
			if skimmed := d.decode([]byte(test.body), &rev); skimmed != nil && skimmed.Error() != err.Error() {
				t.Errorf("skimming says\n    %v\nnot %v", skimmed, err)
			}
			if refused.sentence != test.want {
				t.Errorf("\n got %s\nwant %s", refused.sentence, test.want)
			}
			if refused.status != http.StatusBadRequest || refused.retry {
				t.Errorf("status %d, retry %v", refused.status, refused.retry)
			}
		})
	}
}

// TestDecodeAccepts: order, white space, escapes and unknown members do not
// matter, and an envelope without objects is one with none.
func TestDecodeAccepts(t *testing.T) {
	one := []string{`Star sky.dev/v1beta1`}
	tests := []struct {
		name, body string
		version    reviewVersion
		uid        string
		objects    []string
	}{
		{"as the API server sends it", review1(star), reviewV1, `"u-1"`, one},
		{"v1beta1", strings.Replace(review1(star), "k8s.io/v1", "k8s.io/v1beta1", 1), reviewV1beta1, `"u-1"`, one},
		{"objects first", `{"request":{"objects":[` + star + `],"desiredAPIVersion":"sky.dev/v1","uid":"u-1"},"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview"}`,
			reviewV1, `"u-1"`, one},
		{"white space", strings.NewReplacer(",", " ,\n", ":", " :\t", "{", " {\r\n", "]", " ] ").Replace(review1(star)), reviewV1, `"u-1"`, one},
		{"escapes", `{"k\u0069nd":"Conversion\u0052eview","apiVersion":"apiextensions.k8s.io\/v1","r\u0065quest":{"uid":"\u0075","desiredAPIVersion":"sky.dev\/v1","objects":[]}}`,
			reviewV1, `"\u0075"`, nil},
		{"unknown members", `{"a":[1],"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","response":{"uid":""},"request":{"b":{},"uid":"u","desiredAPIVersion":"sky.dev/v1","objects":[]}}`,
			reviewV1, `"u"`, nil},
		{"no objects", `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"u","desiredAPIVersion":"sky.dev/v1"}}`, reviewV1, `"u"`, nil},
		{"null for objects", `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"u","desiredAPIVersion":"sky.dev/v1","objects":null}}`, reviewV1, `"u"`, nil},
		{"strange objects", review1(`{"kind":"A\u0062"}`, `{"apiVersion":null,"kind":"B"}`, `{"kind":7,"apiVersion":"a"}`), reviewV1, `"u-1"`, []string{"Ab ", "B ", " a"}},
		{"nothing is noted after what is no object", review1(star, `7`, star), reviewV1, `"u-1"`, append(one, "-")},
		{"nothing is noted after what has no kind", review1(`{}`, star), reviewV1, `"u-1"`, []string{" "}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var d decoder
			var rev review
			body := []byte(test.body)
			if err := d.decode(body, &rev); err != nil {
				t.Fatal(err)
			}
			if rev.version != test.version || string(rev.uid.Bytes(body)) != test.uid || string(rev.group) != "sky.dev" || string(rev.desired) != "v1" {
				t.Errorf("got %v %s %s %s", rev.version, rev.uid.Bytes(body), rev.group, rev.desired)
			}
			var objects []string
			for _, e := range rev.objects {
				objects = append(objects, summary(e, body))
			}
			if strings.Join(objects, ";") != strings.Join(test.objects, ";") {
				t.Errorf("objects %q, want %q", objects, test.objects)
			}
		})
	}
}

// summary is the kind and the apiVersion that the decoder saw, or a dash.
func summary(e element, body []byte) string {
	if !e.isObject {
		return "-"
	}
	var kind, apiVersion []byte
	if isString(e.kind, body) {
		kind = text(body, e.kind)
	}
	if isString(e.apiVersion, body) {
		apiVersion = text(body, e.apiVersion)
	}
	return string(kind) + " " + string(apiVersion)
}

// TestDecodeKeepsLittle: a hostile body must not take many times its size.
func TestDecodeKeepsLittle(t *testing.T) {
	for _, object := range []string{"1", "{}", "[]", `{"kind":1}`, `{"kind":""}`} {
		var d decoder
		var rev review
		if err := d.decode([]byte(review1(strings.Repeat(object+",", 100_000)+object)), &rev); err != nil {
			t.Fatal(err)
		}
		if len(rev.objects) != 1 {
			t.Errorf("%s: %d objects are noted", object, len(rev.objects))
		}
	}
}
