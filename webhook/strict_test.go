package webhook

import (
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
)

// TestStrictWrites expects findings for values that v1 can't represent, and for values that are lost already.
func TestStrictWrites(t *testing.T) {
	strict := StrictWrites(guardedCrontabs(t))
	const good, bad = `"spec":{"hostPort":"a:1"}`, `"spec":{"hostPort":"a"}`
	marked := `"metadata":{"annotations":{"crosswalk.dev/incomplete":"v1: .spec.notify"}},` + good
	finalized := strings.Replace(marked, `"annotations"`, `"finalizers":["x"],"annotations"`, 1)
	status := write(admissionv1.Update, "v1beta1", marked, marked)
	status.SubResource = "status"
	for name, test := range map[string]struct {
		request *admissionv1.AdmissionRequest
		field   string
	}{
		"good":                 {write(admissionv1.Create, "v1beta1", good, ""), ""},
		"bad":                  {write(admissionv1.Create, "v1beta1", bad, ""), "spec.hostPort"},
		"made bad":             {write(admissionv1.Update, "v1beta1", bad, good), "spec.hostPort"},
		"bad already":          {write(admissionv1.Update, "v1beta1", bad, bad), ""},
		"incomplete":           {write(admissionv1.Update, "v1beta1", marked, marked), "metadata.annotations[crosswalk.dev/incomplete]"},
		"incomplete, released": {write(admissionv1.Update, "v1beta1", marked, finalized), ""},
		"incomplete, status":   {status, ""},
		"half there":           {write(admissionv1.Create, "v1", `"spec":{"host":"a"}`, ""), ""},
		"deleted":              {write(admissionv1.Delete, "v1beta1", "", bad), ""},
	} {
		verdict := reviewed(t, strict, test.request)
		switch {
		case test.field == "" && !verdict.Allowed(), test.field != "" && (len(verdict.Causes) != 1 || verdict.Causes[0].Field != test.field):
			t.Errorf("%s: got %+v", name, verdict.Causes)
		}
	}
}

// TestStrictWritesCheckStashes: what a stash holds is held to the schema of the
// version that shows it.
func TestStrictWritesCheckStashes(t *testing.T) {
	strict := StrictWrites(guardedCrontabs(t))
	with := func(entry string) string {
		return `"metadata":{"name":"a","annotations":{"stash.crosswalk.dev/v1beta1":"{\"format\":1,\"entries\":[` + entry + `]}"}},"spec":{"image":"i"}`
	}
	good := with(`{\"at\":[\"spec\",\"shell\"],\"value\":\"/bin/dash\"}`)
	bad := with(`{\"at\":[\"spec\",\"shell\"],\"value\":{\"evil\":1}}`)
	for name, test := range map[string]struct{ object, old, field string }{
		"good":    {object: good},
		"bad":     {object: bad, field: "spec.shell"},
		"changed": {object: bad, old: good, field: "spec.shell"},
		"legacy":  {object: bad, old: bad},
	} {
		operation := admissionv1.Create
		if test.old != "" {
			operation = admissionv1.Update
		}
		verdict := reviewed(t, strict, write(operation, "v1", test.object, test.old))
		switch {
		case test.field == "" && !verdict.Allowed(), test.field != "" && (len(verdict.Causes) != 1 || verdict.Causes[0].Field != test.field):
			t.Errorf("%s: got %+v", name, verdict.Causes)
		}
		for _, c := range verdict.Causes {
			if strings.Contains(c.Message, "evil") {
				t.Errorf("%s: the message holds what the writer wrote: %s", name, c.Message)
			}
		}
	}
}
