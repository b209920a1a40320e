package webhook

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

const (
	// maxCauses is how many causes a denial lists: more than anybody reads, but few enough for
	// an answer, whatever a hostile object holds.
	maxCauses = 256
	// maxDenial bounds the message of a denial, which lists all causes.
	maxDenial = 32 << 10
)

// appendAnswer appends the whole review that answers body's. The API server checks it in
// k8s.io/apiserver/pkg/admission/plugin/webhook/request/admissionreview.go.
func (x *admissionExchange) appendAnswer(dst, body []byte) []byte {
	v := &x.verdict
	dst = append(dst, `{"kind":"AdmissionReview","apiVersion":"`...)
	dst = append(dst, x.review.version.String()...)
	dst = append(dst, `","response":{"uid":`...)
	dst = append(dst, x.review.uid.Bytes(body)...)
	if v.Allowed() {
		dst = append(dst, `,"allowed":true`...)
	} else {
		dst = append(dst, `,"allowed":false,"status":`...)
		dst = appendStatus(dst, v.Status(x.review.request))
	}
	if len(x.patch) > 0 {
		dst = append(dst, `,"patch":"`...)
		dst = base64.StdEncoding.AppendEncode(dst, x.patch)
		dst = append(dst, `","patchType":"JSONPatch"`...)
	}
	if len(v.AuditAnnotations) > 0 {
		dst = append(dst, `,"auditAnnotations":{`...)
		for i, key := range slices.Sorted(maps.Keys(v.AuditAnnotations)) {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendText(dst, key), ':')
			dst = appendText(dst, v.AuditAnnotations[key])
		}
		dst = append(dst, '}')
	}
	if len(v.Warnings) > 0 {
		dst = append(dst, `,"warnings":[`...)
		for i, warning := range v.Warnings {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendText(dst, warning)
		}
		dst = append(dst, ']')
	}
	return append(dst, "}}"...)
}

// appendStatus appends a denial, within the bounds above.
func appendStatus(dst []byte, status *metav1.Status) []byte {
	if d := status.Details; d != nil {
		if more := len(d.Causes) - maxCauses; more > 0 {
			d.Causes = append(d.Causes[:maxCauses:maxCauses], metav1.StatusCause{Message: fmt.Sprintf("and %d more", more)})
		}
		for i := range d.Causes {
			d.Causes[i].Message = shorten(d.Causes[i].Message)
			d.Causes[i].Field = shorten(d.Causes[i].Field)
		}
	}
	status.Message = shortenTo(status.Message, maxDenial)
	// A Status holds only strings and numbers, so marshalling cannot fail.
	encoded, _ := json.Marshal(status)
	return append(dst, encoded...)
}

// appendText appends a string that need not be valid UTF-8.
func appendText(dst []byte, text string) []byte {
	return jsontext.Quote(dst, strings.ToValidUTF8(text, "\uFFFD"))
}
