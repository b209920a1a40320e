package bench

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/validation"
	"github.com/crosswalk-dev/crosswalk/validation/policy"
	"github.com/crosswalk-dev/crosswalk/webhook"
)

// Both judge by ten rules: single fields, a pattern, fields that go together, a map,
// what was there before, and two about a list of 150 elements. Those two either look
// at the first of them, or at all.
const (
	tenRules = `
matchConstraints: {resourceRules: [{apiGroups: [bench.crosswalk.dev], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [crontabs]}]}
validations:
- {expression: "object.spec.replicas >= 1 && object.spec.replicas <= 10", fieldPath: .spec.replicas, message: must be from 1 to 10}
- {expression: "object.spec.cronSpec.matches('^[0-9*/, -]+$')", fieldPath: .spec.cronSpec, message: must be a schedule}
- {expression: "object.spec.host != 'localhost' || object.spec.port != '80'", fieldPath: .spec.port, message: must not be 80 on localhost}
- {expression: "size(object.spec.env) <= 1000", fieldPath: .spec.env, message: must not be so long}
- {expression: "'team' in object.metadata.labels", fieldPath: .metadata.labels, message: must have team}
- {expression: "object.spec.image.startsWith('example.com/')", fieldPath: .spec.image, message: must be ours}
- {expression: "!(has(object.status) && object.status.replicas > 10)", fieldPath: .status.replicas, message: must not be above 10}
- {expression: "oldObject == null || object.spec.host == oldObject.spec.host", fieldPath: .spec.host, message: must stay}
`
	aboutFirst = `
- {expression: "object.spec.env[0].name != ''", fieldPath: .spec.env, message: must have names}
- {expression: "object.spec.env[0].name == 'VARIABLE_0'", fieldPath: .spec.env, message: must have VARIABLE_0}
`
	aboutAll = `
- {expression: "object.spec.env.all(e, e.name != '')", fieldPath: .spec.env, message: must have names}
- {expression: "object.spec.env.exists(e, e.name == 'VARIABLE_0')", fieldPath: .spec.env, message: must have VARIABLE_0}
`
)

// rules are the same ten in Go, as an author of a webhook writes them.
type rules struct {
	schedule *regexp.Regexp
	all      bool
}

func (r rules) check(now, old *hub) error {
	var errs field.ErrorList
	spec := field.NewPath("spec")
	require := func(holds bool, path *field.Path, value any, message string) {
		if !holds {
			errs = append(errs, field.Invalid(path, value, message))
		}
	}
	s := &now.Spec
	require(s.Replicas != nil && *s.Replicas >= 1 && *s.Replicas <= 10, spec.Child("replicas"), s.Replicas, "must be from 1 to 10")
	require(r.schedule.MatchString(s.CronSpec), spec.Child("cronSpec"), s.CronSpec, "must be a schedule")
	require(s.Host != "localhost" || s.Port != "80", spec.Child("port"), s.Port, "must not be 80 on localhost")
	require(len(s.Env) <= 1000, spec.Child("env"), len(s.Env), "must not be so long")
	named, first := true, false
	env := s.Env
	if !r.all {
		env = env[:1]
	}
	for _, e := range env {
		named = named && e.Name != ""
		first = first || e.Name == "VARIABLE_0"
	}
	require(named, spec.Child("env"), nil, "must have names")
	require(first, spec.Child("env"), nil, "must have VARIABLE_0")
	_, labelled := now.Labels["team"]
	require(labelled, field.NewPath("metadata", "labels"), now.Labels, "must have team")
	require(len(s.Image) >= 12 && s.Image[:12] == "example.com/", spec.Child("image"), s.Image, "must be ours")
	require(now.Status.Replicas <= 10, field.NewPath("status", "replicas"), now.Status.Replicas, "must not be above 10")
	require(old == nil || s.Host == old.Spec.Host, spec.Child("host"), s.Host, "must stay")
	if len(errs) == 0 {
		return nil
	}
	return apierrors.NewInvalid(groupVersionV1.WithKind("CronTab").GroupKind(), now.Name, errs)
}

// ValidateCreate, ValidateUpdate and ValidateDelete make it a validator of
// controller-runtime.
func (r rules) ValidateCreate(_ context.Context, now *hub) (admission.Warnings, error) {
	return nil, r.check(now, nil)
}

func (r rules) ValidateUpdate(_ context.Context, old, now *hub) (admission.Warnings, error) {
	return nil, r.check(now, old)
}

func (rules) ValidateDelete(context.Context, *hub) (admission.Warnings, error) { return nil, nil }

// theirValidator is the handler that a manager of controller-runtime mounts.
func theirValidator(tb testing.TB, all bool) http.Handler {
	tb.Helper()
	scheme := runtime.NewScheme()
	scheme.AddKnownTypeWithName(groupVersionV1.WithKind("CronTab"), &hub{})
	return admission.WithValidator[*hub](scheme, rules{regexp.MustCompile(`^[0-9*/, -]+$`), all})
}

// ourValidator is the handler that serve mounts, metrics and all.
func ourValidator(tb testing.TB, all bool) http.Handler {
	tb.Helper()
	text := tenRules + aboutFirst
	if all {
		text = tenRules + aboutAll
	}
	p := new(v1alpha1.ValidationPolicy)
	p.Name = "crontabs"
	if err := yaml.UnmarshalStrict([]byte(text), &p.Spec); err != nil {
		tb.Fatal(err)
	}
	compiled, problems := policy.Compile(p)
	if err := problems.Err(); err != nil {
		tb.Fatal(err)
	}
	metrics := webhook.NewMetrics(nil)
	set := policy.NewValidationSet(policy.Cluster{}, metrics.ObservePolicy)
	if err := set.Replace(compiled); err != nil {
		tb.Fatal(err)
	}
	reviewers := webhook.NewReviewers(metrics)
	if err := reviewers.Replace(map[string]validation.Reviewer{"policies": set}, nil); err != nil {
		tb.Fatal(err)
	}
	return webhook.NewAdmissionHandler(webhook.Options{Reviewers: reviewers, Metrics: metrics})
}

const ourValidatorPath = "/validate/policies/crontabs"

// write is the AdmissionReview of a CronTab in v1 of about size bytes that is
// created, as the API server writes it.
func write(size int, host string) []byte {
	object := crontabV1(size, host)
	return fmt.Appendf(nil, `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"705ab4f5-6393-11e8-b7cc-42010a800002",`+
		`"kind":{"group":"bench.crosswalk.dev","version":"v1","kind":"CronTab"},"resource":{"group":"bench.crosswalk.dev","version":"v1","resource":"crontabs"},`+
		`"requestKind":{"group":"bench.crosswalk.dev","version":"v1","kind":"CronTab"},"requestResource":{"group":"bench.crosswalk.dev","version":"v1","resource":"crontabs"},`+
		`"name":"crontab-0","namespace":"default","operation":"CREATE","userInfo":{"username":"kubernetes-admin","groups":["kubeadm:cluster-admins","system:authenticated"]},`+
		`"object":%s,"oldObject":null,"dryRun":false,"options":{"kind":"CreateOptions","apiVersion":"meta.k8s.io/v1","fieldManager":"kubectl-create","fieldValidation":"Strict"}}}`+"\n", object)
}
