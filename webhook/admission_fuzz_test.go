package webhook

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	kjson "sigs.k8s.io/json"
)

// FuzzAdmissionDecode compares the decoder with the real types and the decoder of
// the API server, which is that of encoding/json but for the case of names.
func FuzzAdmissionDecode(f *testing.F) {
	f.Add(admissionUpdate)
	f.Add(strings.NewReplacer(`UPDATE`, `DELETE`, `"object":`+starObject, `"object":null`).Replace(admissionUpdate))
	f.Add(with(`{"username":"jane","uid":"7","groups":["astronomers","system:authenticated"],"extra":{"scopes":["a","b"]}}`,
		`{"username":null,"groups":[null,"\u00e9"],"extra":{"a":null,"b":[],"\u0063":[null,"\u00e9"]}}`))
	f.Add(with(`"dryRun":false`, `"dryRun":null,"userInfo":{"groups":[],"extra":{}},"requestKind":null`))
	for _, seed := range []string{"", "null", "[", `{"request":null}`, `{"request":{"uid":"\u0075"}}`, "{\"kind\":\"\xff\"}"} {
		f.Add(seed)
	}
	var d admissionDecoder
	f.Fuzz(func(t *testing.T, body string) {
		var rev admissionReview
		err := d.decode([]byte(body), &rev)
		var want admissionv1.AdmissionReview
		strict, wantErr := kjson.UnmarshalStrict([]byte(body), &want)
		if err != nil {
			if wantErr == nil && len(strict) == 0 && judgeable(&want, body) {
				t.Fatalf("refused: %v", err)
			}
			return
		}
		if wantErr != nil {
			t.Fatalf("accepted: %v", wantErr)
		}
		if !reflect.DeepEqual(rev.request, want.Request) {
			t.Fatalf("\n got %+v\nwant %+v", rev.request, want.Request)
		}
		if want.Kind != "AdmissionReview" || want.APIVersion != rev.version.String() {
			t.Fatalf("took %s %s for %s", want.APIVersion, want.Kind, rev.version)
		}
		var uid string
		if err := json.Unmarshal(rev.uid.Bytes([]byte(body)), &uid); err != nil || uid != string(want.Request.UID) {
			t.Fatalf("uid %q, %v", uid, err)
		}
	})
}

// judgeable reports whether the types hold what a review needs to be judged.
func judgeable(r *admissionv1.AdmissionReview, body string) bool {
	if r.Kind != "AdmissionReview" || !strings.HasPrefix(r.APIVersion, "admission.k8s.io/v1") || r.Request == nil || r.Request.UID == "" ||
		checkObjects(r.Request) != nil {
		return false
	}
	if version := strings.TrimPrefix(r.APIVersion, "admission.k8s.io/v1"); version != "" && version != "beta1" {
		return false
	}
	for _, object := range [][]byte{r.Request.Object.Raw, r.Request.OldObject.Raw, r.Request.Options.Raw} {
		if object != nil && object[0] != '{' {
			return false
		}
	}
	// encoding/json mends these two; I-JSON has neither. Names are compared
	// strictly only where the types know them.
	return strings.ToValidUTF8(body, "") == body && !strings.Contains(strings.ToLower(body), `\ud`) && uniqueNames(body)
}
