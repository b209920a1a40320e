package policies

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// teams is a CRD of the policies below.
const teams = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: teams.fits.example.com}
spec:
  group: fits.example.com
  scope: Namespaced
  names: {kind: Team, plural: teams}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {color: {type: string}}}}}}}
`

// What does not fit the schemas of the cluster is warned of when a policy is applied, and
// is in its status, which follows the schemas.
func (p play) testSchemas() {
	const aboutTeams = "matchConstraints: {resourceRules: [{apiGroups: [fits.example.com], apiVersions: ['*'], operations: ['*'], resources: [teams]}]}\n"
	misfit := "spec.validations[0].expression: undefined field 'colour' at 1:12, for Team fits.example.com/v1; if it is intended, put it in dyn()"
	colours := manifest("ValidationPolicy", "colours", aboutTeams+"validations: [{expression: object.spec.colour != ''}]")
	p.Cleanup(func() { p.remove("ValidationPolicy", "colours") })
	const missing = "spec.matchConstraints.resourceRules[0].apiGroups[0]: there is no API group fits.example.com"
	if printed := p.applied(colours); !strings.Contains(printed, "Warning: "+missing+"\n") {
		p.Errorf("kubectl printed %s", printed)
	}
	p.fits("colours", "Unknown UnknownKinds: the rules name no group and resource with a known schema")
	p.says("colours", "Ready", "False NoSuchResource: "+missing)

	p.Cleanup(func() {
		if _, err := p.scene.ControlPlane.KubectlWith(context.Background(), "", "delete", "crd", "teams.fits.example.com"); err != nil {
			p.Error(err)
		}
	})
	p.pipe(teams, "create", "-f", "-")
	if printed := p.applied(strings.Replace(colours, "name: colours", "name: colours-new", 1)); strings.Contains(printed, "there is no") {
		p.Errorf("the CRD exists, and kubectl printed %s", printed)
	}
	p.Cleanup(func() { p.remove("ValidationPolicy", "colours-new") })
	stage.Until(p.T, 30*time.Second, func(ctx context.Context) error {
		_, err := p.scene.ControlPlane.KubectlWith(ctx, "", "explain", "teams.spec.color", "--api-version=fits.example.com/v1")
		return err
	})
	p.ready("ValidationPolicy", "colours")
	// Another policy is reason enough to look at once.
	p.Cleanup(func() { p.remove("ValidationPolicy", "colours-too") })
	printed := p.applied(strings.Replace(colours, "name: colours", "name: colours-too", 1))
	if !strings.Contains(printed, "Warning: "+misfit+"\n") {
		p.Errorf("kubectl printed %s", printed)
	}
	p.fits("colours-too", "False Misfits: "+misfit)
	p.fits("colours", "False Misfits: "+misfit)
	p.Cleanup(func() { p.remove("ValidationPolicy", "colours-still") })
	p.pipe(strings.ReplaceAll(teams, "color:", "colour:"), "apply", "--server-side", "--force-conflicts", "-f", "-")
	stage.Until(p.T, 30*time.Second, func(ctx context.Context) error {
		_, err := p.scene.ControlPlane.KubectlWith(ctx, "", "explain", "teams.spec.colour", "--api-version=fits.example.com/v1")
		return err
	})
	if printed := p.applied(strings.Replace(colours, "name: colours", "name: colours-still", 1)); strings.Contains(printed, "Warning") {
		p.Errorf("all is right, and kubectl printed %s", printed)
	}
	p.fits("colours", "True Fits: every expression fits the schema of Team fits.example.com/v1")

	// Kinds of Kubernetes itself, and what is written for the hub.
	printed = p.applied(manifest("MutationPolicy", "hosts", `
matchConstraints: {resourceRules: [{apiGroups: ['', apps], apiVersions: [v1], operations: [CREATE], resources: [pods, deployments/scale]}]}
matchConditions: [{name: never, expression: object.spec.image == ''}]
mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: "Object{spec: Object.spec{replicas: 3}}"}}]`))
	p.Cleanup(func() { p.remove("MutationPolicy", "hosts") })
	for _, want := range []string{
		"Warning: spec.matchConditions[0].expression: undefined field 'image' at 1:12, for Pod v1, Scale autoscaling/v1; if it is intended, put it in dyn()\n",
		"Warning: spec.mutations[0].applyConfiguration.expression: undefined field 'replicas' at 1:34, for Pod v1; if it is intended, put it in dyn()\n",
	} {
		if !strings.Contains(printed, want) {
			p.Errorf("kubectl printed %s", printed)
		}
	}
	p.Cleanup(func() { p.remove("ValidationPolicy", "hub-hosts") })
	printed = p.applied(manifest("ValidationPolicy", "hub-hosts", "hub: true\n"+about+"validations: [{expression: \"!has(object.spec.hostPort)\"}]"))
	if want := "undefined field 'hostPort' at 1:5, for CronTab stable.example.com/v1; if it is intended"; !strings.Contains(printed, want) {
		p.Errorf("kubectl printed %s", printed)
	}
}

// applied is all that kubectl says to a policy that it applies.
func (p play) applied(manifest string) string {
	p.Helper()
	printed, err := p.combined(manifest, "apply", "-f", "-")
	if err != nil {
		p.Fatal(printed, err)
	}
	return printed
}

// fits waits until a ValidationPolicy says how it fits the schemas.
func (p play) fits(name, want string) {
	p.Helper()
	p.says(name, "FitsSchemas", want)
}

// says waits until a condition of a ValidationPolicy is "STATUS REASON: MESSAGE".
func (p play) says(name, condition, want string) {
	p.Helper()
	stage.Until(p.T, 20*time.Second, func(ctx context.Context) error {
		data, err := p.v1.API.Get(ctx, policyPath("ValidationPolicy")+"/"+name)
		if err != nil {
			return err
		}
		var policy struct {
			Status struct{ Conditions []metav1.Condition }
		}
		if err := json.Unmarshal(data, &policy); err != nil {
			return err
		}
		c := meta.FindStatusCondition(policy.Status.Conditions, condition)
		if c == nil || fmt.Sprintf("%s %s: %s", c.Status, c.Reason, c.Message) != want {
			return fmt.Errorf("%s says %+v, want %s", name, c, want)
		}
		return nil
	})
}
