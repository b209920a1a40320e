package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/report"
	"github.com/crosswalk-dev/crosswalk/validation"
	"github.com/crosswalk-dev/crosswalk/validation/policy"
)

// item is an object in a list.
type item struct {
	head metav1.PartialObjectMetadata
	text json.RawMessage
}

// UnmarshalJSON implements [json.Unmarshaler].
func (i *item) UnmarshalJSON(text []byte) error {
	i.text = bytes.Clone(text)
	return json.Unmarshal(text, &i.head)
}

// key returns the object's key in etcd, without what all keys of the resource have in common.
func (i *item) key() string {
	if i.head.Namespace == "" {
		return i.head.Name
	}
	return i.head.Namespace + "/" + i.head.Name
}

// object returns the text of the object. Kubernetes' own kinds have no apiVersion and kind in a
// list.
func (i *item) object(gvk schema.GroupVersionKind) []byte {
	if i.head.Kind != "" {
		return i.text
	}
	head := fmt.Appendf(nil, `{"apiVersion":%q,"kind":%q,`, gvk.GroupVersion(), gvk.Kind)
	return append(head, i.text[1:]...)
}

// request returns the request that would create an object.
func (a *auditor) request(r *resource, version string, i *item) *admissionv1.AdmissionRequest {
	gvk := schema.GroupVersionKind{Group: r.group, Version: version, Kind: r.kind}
	kind := metav1.GroupVersionKind(gvk)
	of := metav1.GroupVersionResource{Group: r.group, Version: version, Resource: r.plural}
	request := &admissionv1.AdmissionRequest{
		UID: i.head.UID, Kind: kind, RequestKind: &kind, Resource: of, RequestResource: &of,
		Name: i.head.Name, Namespace: i.head.Namespace, Operation: admissionv1.Create, DryRun: new(false),
		Object:  runtime.RawExtension{Raw: i.object(gvk)},
		Options: runtime.RawExtension{Raw: []byte(`{"apiVersion":"meta.k8s.io/v1","kind":"CreateOptions"}`)},
	}
	if r.group == "" && r.plural == "namespaces" {
		request.Namespace = request.Name // as the API server sends it
	}
	if a.Writer != nil {
		request.UserInfo = *a.Writer
	}
	return request
}

// examined is what was found about one object.
type examined struct {
	item     *item
	findings []Finding
	tally    tally
}

// examine evaluates everything about one object.
func (a *auditor) examine(ctx context.Context, r *resource, in *pass, version string, i *item) examined {
	all := examined{item: i}
	request := a.request(r, version, i)
	ctx = validation.WithKnownCaller(ctx)
	for _, p := range in.policies {
		found, err := p.Examine(ctx, a.world.sees, request)
		if err != nil {
			found.Matches, found.Failed = true, true
			found.Causes = []validation.Cause{{Message: p.Reference() + ": " + err.Error()}}
		}
		if found.Matches {
			all.add(policyFindings(p, found))
		}
	}
	if in.shows {
		all.add(a.show(ctx, r, request))
	}
	for n := range all.findings {
		f := &all.findings[n]
		f.Namespace, f.Name, f.UID = i.head.Namespace, i.head.Name, i.head.UID
		f.APIVersion = schema.GroupVersion{Group: r.group, Version: version}.String()
	}
	return all
}

// add adds the findings of one check.
func (e *examined) add(findings []Finding) {
	has := func(result Result) bool {
		return slices.ContainsFunc(findings, func(f Finding) bool { return f.Result == result })
	}
	switch {
	case has(Error):
		e.tally.failed++
	case has(Fail):
		e.tally.fail++
	case has(Warn):
		e.tally.warn++
	default:
		e.tally.pass++
	}
	e.findings = append(e.findings, findings...)
}

func policyFindings(p *policy.Policy, found policy.Examination) []Finding {
	var actions []string
	for _, action := range p.Actions() {
		actions = append(actions, string(action))
	}
	result := Warn
	switch {
	case found.Failed:
		result = Error
	case slices.Contains(p.Actions(), admissionregistrationv1.Deny):
		result = Fail
	}
	var all []Finding
	for _, c := range found.Causes {
		all = append(all, Finding{Result: result, Policy: p.Name(), Actions: actions, Field: c.Field, Message: c.Message})
	}
	return all
}

// show converts an object to every other served version, and checks it as a write.
func (a *auditor) show(ctx context.Context, r *resource, request *admissionv1.AdmissionRequest) []Finding {
	var all []Finding
	unplaced := map[string][]string{} // paths, by the version that lacks them
	note := func(object []byte) {
		for _, s := range conversion.StashedIn(object) {
			if s.Unplaced {
				unplaced[s.Owner] = append(unplaced[s.Owner], s.Path)
			}
		}
	}
	note(request.Object.Raw)
	for _, version := range r.versions {
		if version == request.Kind.Version {
			continue
		}
		shown, err := r.table.Converter.ConvertNoting(ctx, nil, request.Object.Raw, version, nil)
		if err != nil {
			all = append(all, Finding{Result: Fail, Version: version, Message: fmt.Sprintf("it cannot be shown in %s: %v", version, err)})
		} else if lost := conversion.Incomplete(shown); lost != "" {
			all = append(all, Finding{Result: Fail, Version: version, Message: fmt.Sprintf("in %s it lacks values that have no room in its annotations: %s", version, lost)})
		}
		note(shown)
	}
	for _, version := range slices.Sorted(maps.Keys(unplaced)) {
		all = append(all, Finding{Result: Warn, Version: version, Message: fmt.Sprintf("%s lacks values that an earlier table has kept, and for which this one has no place: %s", version, report.Few(unplaced[version]))})
	}
	verdict, err := a.world.strict.Review(ctx, request)
	if err != nil {
		return append(all, Finding{Result: Error, Message: err.Error()})
	}
	for _, c := range verdict.Causes {
		all = append(all, Finding{Result: Fail, Field: c.Field, Message: c.Message})
	}
	for _, warning := range verdict.Warnings {
		all = append(all, Finding{Result: Warn, Message: warning})
	}
	return all
}
