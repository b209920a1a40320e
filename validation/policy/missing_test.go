package policy

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// discovered are the resources of a cluster by group and version, each with its kind.
type discovered map[string]map[string]string

func (d discovered) Groups(context.Context) ([]string, error) {
	var groups []string
	for version := range d {
		groups = append(groups, parsed(version).Group)
	}
	return groups, nil
}

func (d discovered) Versions(_ context.Context, group string) ([]string, error) {
	var versions []string
	for version := range d {
		if parsed(version).Group == group {
			versions = append(versions, parsed(version).Version)
		}
	}
	return versions, nil
}

func (d discovered) Resources(_ context.Context, version schema.GroupVersion) ([]Resource, error) {
	var resources []Resource
	of := d[version.String()]
	for _, name := range slices.Sorted(maps.Keys(of)) {
		resources = append(resources, Resource{name, schema.FromAPIVersionAndKind(version.String(), of[name])})
	}
	return resources, nil
}

func (d discovered) Hub(_ context.Context, of schema.GroupResource) (string, error) {
	if of.String() == "crontabs.stable.example.com" {
		return "v1", nil
	}
	return "", nil
}

func (d discovered) Schema(context.Context, schema.GroupVersionKind) (string, map[string]*spec.Schema, error) {
	return "", nil, nil
}

func parsed(version string) schema.GroupVersion {
	of, _ := schema.ParseGroupVersion(version)
	return of
}

func someCluster() discovered {
	return discovered{
		"v1":                         {"pods": "Pod", "pods/exec": "PodExecOptions", "configmaps": "ConfigMap"},
		"apps/v1":                    {"deployments": "Deployment", "deployments/scale": "Scale", "statefulsets": "StatefulSet"},
		"batch/v1":                   {"jobs": "Job", "cronjobs": "CronJob"},
		"stable.example.com/v1beta1": {"crontabs": "CronTab"},
		"stable.example.com/v1":      {"crontabs": "CronTab", "crontabs/status": "CronTab"},
	}
}

func TestMissing(t *testing.T) {
	rule := func(groups, versions, resources string) string {
		return fmt.Sprintf("matchConstraints: {resourceRules: [{apiGroups: [%s], apiVersions: [%s], operations: ['*'], resources: [%s]}]}\n", groups, versions, resources)
	}
	const field = "spec.matchConstraints.resourceRules[0]"
	tests := []struct{ name, scope, want string }{
		{"a resource", rule("apps", "v1", "deployments"), ""},
		{"a subresource", rule(`""`, "v1", "pods, pods/exec"), ""},
		{"one of several versions", rule("stable.example.com", "v2, v1", "crontabs/status"), ""},
		{"all versions", rule("stable.example.com", `"*"`, "crontabs"), ""},
		{"all combinations", rule(`"", apps, batch`, "v1", "pods, deployments, jobs"), ""},
		{"everything", rule(`"*"`, `"*"`, `"*"`), ""},
		{"a resource in any group", rule(`"*"`, `"*"`, "nothing"), ""},
		{"all subresources", rule("apps", "v1", `deployments/*, "*/scale"`), ""},
		{"a resource with a typo", rule("apps", "v1", "statefulsets, deploymentz"), field + ".resources[1]: there is no resource deploymentz in apps; did you mean deployments? [deploymentz.apps] [v1]"},
		{"in several groups", rule(`"", apps`, "v1", "daemonset"), field + `.resources[0]: there is no resource daemonset in "", apps [daemonset daemonset.apps] [v1]`},
		{"all subresources of a resource with a typo", rule("apps", "v1", "deployment/*"), field + ".resources[0]: there is no resource deployment in apps; did you mean deployments? [deployment.apps] [v1]"},
		{"the kind", rule("stable.example.com", "v1", "CronTab"), field + ".resources[0]: there is no resource CronTab in stable.example.com; did you mean crontabs? [CronTab.stable.example.com] [v1]"},
		{"a subresource that does not exist", rule("apps", "v1", "statefulsets/scale"), field + ".resources[0]: statefulsets has no subresource scale [statefulsets/scale.apps] [v1]"},
		{"another version", rule("stable.example.com", "v2, v3", "crontabs"), field + ".apiVersions: crontabs exists only in stable.example.com/v1, stable.example.com/v1beta1: name one of these versions [crontabs.stable.example.com] [v2 v3]"},
		{"another version of a subresource", rule("stable.example.com", "v1beta1", "crontabs/status"), field + ".apiVersions: crontabs/status exists only in stable.example.com/v1: name one of these versions [crontabs/status.stable.example.com] [v1beta1]"},
		{"a group with a typo", rule("stable.exmple.com", "v1", "crontabs, others"), field + ".apiGroups[0]: there is no API group stable.exmple.com; did you mean stable.example.com? [crontabs.stable.exmple.com others.stable.exmple.com] [v1]"},
		{"the core group", rule("apps, core", "v1", "pods"), field + `.apiGroups[1]: there is no API group core; did you mean ""? [pods.core] [v1]`},
		{"all of a group", rule("example.org", "v1", `"*"`), field + ".apiGroups[0]: there is no API group example.org [*.example.org] [v1]"},
		{"the hub", "hub: true\n" + rule("stable.example.com", "v3", "crontabs"), ""},
		{"a subresource of the hub", "hub: true\n" + rule("stable.example.com", "v3", "crontabs/scale"), field + ".resources[0]: crontabs has no subresource scale [crontabs/scale.stable.example.com] [v1]"},
		{"without a hub", "hub: true\n" + rule("stable.example.com", "v3", "others"), ""},
		{"a lookup", rule("apps", "v1", "deployments") + "lookups: [{name: a, apiVersion: v1, kind: ConfigMap, nameExpression: \"'a'\"}]\n", ""},
		{"the kind of a lookup", rule("apps", "v1", "deployments") + "lookups: [{name: a, apiVersion: v1, kind: ConfigMaps, nameExpression: \"'a'\"}]\n",
			"spec.lookups[0].kind: there is no kind ConfigMaps in v1, so reading it fails; did you mean ConfigMap? [] []"},
		{"what is sent to a subresource", rule("apps", "v1", "deployments") + "lookups: [{name: a, apiVersion: v1, kind: PodExecOptions, nameExpression: \"'a'\"}]\n",
			"spec.lookups[0].kind: there is no kind PodExecOptions in v1, so reading it fails [] []"},
		{"the version of a lookup", rule("apps", "v1", "deployments") + "lookups: [{name: a, apiVersion: batch/v2, kind: Job, nameExpression: \"'a'\"}]\n",
			"spec.lookups[0].kind: there is no kind Job in batch/v2, so reading it fails [] []"},
		{"the group of a lookup", rule("apps", "v1", "deployments") + "lookups: [{name: a, apiVersion: bath/v1, kind: Job, nameExpression: \"'a'\"}]\n",
			"spec.lookups[0].apiVersion: there is no API group bath; did you mean batch? [] []"},
		{"params", rule("apps", "v1", "deployments") + "paramKind: {apiVersion: v1, kind: Configmap}\nparamRef: {name: a, namespace: b, parameterNotFoundAction: Deny}\n",
			"spec.paramKind.kind: there is no kind Configmap in v1, so reading it fails; did you mean ConfigMap? [] []"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := compiled(t, test.scope+"validations: [{expression: 'true'}]")
			check, err := p.CheckTypes(t.Context(), someCluster())
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, m := range check.Missing {
				got = append(got, fmt.Sprintf("%v %v %v", m, m.Resources, m.Versions))
			}
			if got := strings.Join(got, "\n"); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// silent fails at some point.
type silent struct {
	discovered
	method string
}

var errSilent = errors.New("no answer")

func (s silent) Groups(ctx context.Context) ([]string, error) {
	groups, _ := s.discovered.Groups(ctx)
	return groups, s.fails("Groups")
}

func (s silent) Versions(ctx context.Context, group string) ([]string, error) {
	versions, _ := s.discovered.Versions(ctx, group)
	return versions, s.fails("Versions")
}

func (s silent) Resources(ctx context.Context, version schema.GroupVersion) ([]Resource, error) {
	resources, _ := s.discovered.Resources(ctx, version)
	return resources, s.fails("Resources")
}

func (s silent) Hub(context.Context, schema.GroupResource) (string, error) {
	return "v1", s.fails("Hub")
}

func (s silent) fails(method string) error {
	if s.method == method {
		return errSilent
	}
	return nil
}

// TestMissingUnknown tests that nothing is reported as missing if that is not known.
func TestMissingUnknown(t *testing.T) {
	p := compiled(t, "hub: true\nmatchConstraints: {resourceRules: [{apiGroups: [example.org], apiVersions: [v1], operations: ['*'], resources: [a]},\n"+
		"{apiGroups: [apps], apiVersions: [v1], operations: ['*'], resources: [b]}]}\nvalidations: [{expression: 'true'}]")
	for _, method := range []string{"Groups", "Versions", "Resources", "Hub"} {
		if check, err := p.CheckTypes(t.Context(), silent{someCluster(), method}); !errors.Is(err, errSilent) {
			t.Errorf("%s: got %v, %v", method, check, err)
		}
	}
}
