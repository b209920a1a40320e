package webhook

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	kjson "sigs.k8s.io/json"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// FuzzDecode compares the decoder with the real types and the decoder of the
// API server, which is that of encoding/json but for the case of names.
func FuzzDecode(f *testing.F) {
	f.Add(review1(star, `{}`))
	f.Add(review1())
	f.Add(`{"request":{"objects":[{"kind":"A","apiVersion":"b/c"}],"uid":"\u0075"}}`)
	for _, seed := range []string{"", "null", "[", `{"request":null}`, `{"request":{"objects":[1,null,"x"]}}`, "{\"kind\":\"\xff\"}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		var d decoder
		var rev review
		skimmed := d.decode([]byte(body), &rev)
		var whole review
		d.thorough = true
		err := d.run([]byte(body), &whole)
		switch {
		case err == nil && (skimmed != nil || !reflect.DeepEqual(rev, whole)):
			t.Fatalf("skimming: %v, %v, want %v", rev, skimmed, whole)
		case err != nil && skimmed == nil && !lacking(&rev, []byte(body)):
			t.Fatalf("every object is fine, the body is not: %v", err)
		}

		var want apiextensionsv1.ConversionReview
		strict, wantErr := kjson.UnmarshalStrict([]byte(body), &want)
		if err != nil {
			if wantErr == nil && len(strict) == 0 && answerable(&want, body) {
				t.Fatalf("refused: %v", err)
			}
			return
		}
		if wantErr != nil {
			// The types refuse objects that are no objects later than we do.
			if !json.Valid([]byte(body)) {
				t.Fatalf("accepted what is not JSON: %v", wantErr)
			}
			return
		}
		if string(want.Request.UID) != string(text([]byte(body), rev.uid)) || want.Request.DesiredAPIVersion != string(rev.group)+"/"+string(rev.desired) {
			t.Fatalf("got %q %q/%q, want %q %q", text([]byte(body), rev.uid), rev.group, rev.desired, want.Request.UID, want.Request.DesiredAPIVersion)
		}
		n := len(rev.objects)
		if n > 0 && rev.objects[n-1].problem([]byte(body)) != "" {
			want.Request.Objects = want.Request.Objects[:n] // the rest is not noted
		}
		if n != len(want.Request.Objects) {
			t.Fatalf("got %d objects, want %d", len(rev.objects), len(want.Request.Objects))
		}
		for i, e := range rev.objects {
			sameObject(t, e, []byte(body), want.Request.Objects[i].Raw)
		}
	})
}

// lacking reports whether an object of a skimmed review is not valid, which its
// converter would have noticed, or cannot be converted.
func lacking(rev *review, body []byte) bool {
	var s jsontext.Scanner
	for _, e := range rev.objects {
		s.Reset(e.span.Bytes(body))
		if _, err := s.Document(); err != nil || e.problem(body) != "" {
			return true
		}
	}
	return false
}

// answerable reports whether the types hold what a review needs to be answered.
func answerable(r *apiextensionsv1.ConversionReview, body string) bool {
	halves := strings.Split("", "/")
	if r.Request != nil {
		halves = strings.Split(r.Request.DesiredAPIVersion, "/")
	}
	return r.Kind == "ConversionReview" && r.APIVersion == "apiextensions.k8s.io/v1" && r.Request != nil && r.Request.UID != "" &&
		len(halves) == 2 && halves[0] != "" && halves[1] != "" &&
		// encoding/json mends these two; I-JSON has neither. Names are compared
		// strictly only where the types know them.
		strings.ToValidUTF8(body, "") == body && !strings.Contains(strings.ToLower(body), `\ud`) && uniqueNames(body)
}

// uniqueNames reports whether no object of body has a name twice.
func uniqueNames(body string) bool {
	d := json.NewDecoder(strings.NewReader(body))
	var open []map[string]bool // nil is an array
	name := false
	for {
		token, err := d.Token()
		if err != nil {
			return true
		}
		switch v := token.(type) {
		case json.Delim:
			switch v {
			case '{':
				open, name = append(open, map[string]bool{}), true
				continue
			case '[':
				open = append(open, nil)
			default:
				open = open[:len(open)-1]
			}
		case string:
			if name {
				if open[len(open)-1][v] {
					return false
				}
				open[len(open)-1][v] = true
				name = false
				continue
			}
		}
		name = len(open) > 0 && open[len(open)-1] != nil
	}
}

func sameObject(t *testing.T, e element, body, want []byte) {
	t.Helper()
	if string(want) == "" { // how RawExtension holds null
		want = []byte("null")
	}
	if !bytes.Equal(e.span.Bytes(body), want) {
		t.Fatalf("object\n got %s\nwant %s", e.span.Bytes(body), want)
	}
	var o map[string]any
	if json.Unmarshal(want, &o) != nil || o == nil {
		if e.isObject {
			t.Fatalf("%s is taken for an object", want)
		}
		return
	}
	kind, _ := o["kind"].(string)
	apiVersion, _ := o["apiVersion"].(string)
	if got := summary(e, body); got != kind+" "+apiVersion {
		t.Fatalf("got %q of %s", got, want)
	}
}
