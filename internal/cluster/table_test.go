package cluster

import (
	"slices"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func TestReadCompiles(t *testing.T) {
	table := crontab(t)
	if got := table.Versions(); !slices.Equal(got, []string{"v1beta1", "v1"}) {
		t.Errorf("versions: %v", got)
	}
	if table.Identical() {
		t.Error("versions that a row tells apart are identical")
	}
}

func TestReadSaysWhatIsWrong(t *testing.T) {
	rows := func(rows ...any) func(*unstructured.Unstructured) {
		return func(u *unstructured.Unstructured) {
			u.Object["spec"] = map[string]any{"hub": "v1", "versions": []any{map[string]any{"name": "v1beta1", "rows": rows}}}
		}
	}
	for name, test := range map[string]struct {
		table           func(*unstructured.Unstructured)
		crd             func(*apiextensionsv1.CustomResourceDefinition) *apiextensionsv1.CustomResourceDefinition
		reason, message string
	}{
		"no CRD": {
			crd: func(*apiextensionsv1.CustomResourceDefinition) *apiextensionsv1.CustomResourceDefinition {
				return nil
			},
			reason:  ReasonNoCRD,
			message: "there is no CustomResourceDefinition crontabs.stable.example.com: apply it, or rename the Crosswalk to the name of its CRD",
		},
		"names that another CRD has": {
			crd: func(crd *apiextensionsv1.CustomResourceDefinition) *apiextensionsv1.CustomResourceDefinition {
				crd.Status.Conditions = []apiextensionsv1.CustomResourceDefinitionCondition{{
					Type: apiextensionsv1.NamesAccepted, Status: apiextensionsv1.ConditionFalse, Message: `"CronTab" is already in use`,
				}}
				return crd
			},
			reason:  ReasonNameConflict,
			message: `the API server has not accepted the names of the CRD: "CronTab" is already in use; delete the CRD that has them, or choose others`,
		},
		"a wrong path, and another": {
			table:  rows(map[string]any{"spoke": ".spec.hostPrt", "hub": ".spec.host"}, map[string]any{"spoke": ".spec.imag", "hub": ".spec.image"}),
			reason: ReasonInvalidTable,
			message: "v1beta1 row 1 (.spec.hostPrt <-> .spec.host): spoke path .spec.hostPrt is not in the v1beta1 schema; did you mean .spec.hostPort?\n" +
				"v1beta1 row 2 (.spec.imag <-> .spec.image): spoke path .spec.imag is not in the v1beta1 schema; did you mean .spec.image?",
		},
		"a retired version that objects are stored in": {
			table: func(u *unstructured.Unstructured) {
				u.Object["spec"] = map[string]any{"hub": "v1", "versions": []any{map[string]any{"name": "v1beta1", "retired": "it is old"}}}
			},
			crd: func(crd *apiextensionsv1.CustomResourceDefinition) *apiextensionsv1.CustomResourceDefinition {
				crd.Spec.Versions[0].Served = false
				crd.Status.StoredVersions = []string{"v1beta1", "v1"}
				return crd
			},
			reason: ReasonInvalidTable,
			message: "v1beta1: objects may still be stored in the retired version, and could not be read: status.storedVersions of the CRD has it; " +
				"run crosswalk migrate crontabs.stable.example.com, which rewrites them, or remove retired and write its rows",
		},
		// The CRD of the Crosswalk cannot refuse it: rows within rows are beyond a
		// structural schema.
		"a field that there is not, deep down": {
			table: rows(map[string]any{"spoke": ".spec.a", "hub": ".spec.b",
				"each": map[string]any{"rows": []any{map[string]any{"spok": ".a"}}}}),
			reason:  ReasonInvalidTable,
			message: ".spec.versions[0].rows[0].each.rows[0].spok: unknown field; did you mean spoke?",
		},
	} {
		t.Run(name, func(t *testing.T) {
			objects := []client.Object{}
			crd, crosswalk := crontabCRD(t), crontabTable(t)
			if test.crd != nil {
				crd = test.crd(crd)
			}
			if crd != nil {
				objects = append(objects, crd)
			}
			if test.table != nil {
				test.table(crosswalk)
			}
			table, err := Compiler{}.Read(t.Context(), reader(t, append(objects, crosswalk)...), crontabs)
			if err != nil {
				t.Fatal(err)
			}
			if p := table.Problem; p == nil || p.Reason != test.reason || p.Message != test.message {
				t.Errorf("got  %+v\nwant %s %s", p, test.reason, test.message)
			}
			if table.Crosswalk.Name != crontabs || table.Converter != nil {
				t.Errorf("got %+v", table)
			}
		})
	}
}

func TestReadNothing(t *testing.T) {
	table, err := Compiler{}.Read(t.Context(), reader(t, crontabCRD(t)), crontabs)
	if table != nil || err != nil {
		t.Errorf("got %+v, %v", table, err)
	}
}

func TestIdentical(t *testing.T) {
	crd, crosswalk := crontabCRD(t), crontabTable(t)
	crosswalk.Object["spec"] = map[string]any{"hub": "v1"}
	crd.Spec.Versions[0].Schema = crd.Spec.Versions[1].Schema.DeepCopy()
	crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Description = "older"
	table, err := Compiler{}.Read(t.Context(), reader(t, crd, crosswalk), crontabs)
	if err != nil || table.Problem != nil {
		t.Fatal(table, err)
	}
	if !table.Identical() {
		t.Error("versions that differ in their descriptions only are not identical")
	}
}
