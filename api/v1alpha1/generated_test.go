package v1alpha1_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
)

const crdFile = "deploy/chart/files/crds/crosswalk.dev_crosswalks.yaml"

// policyFiles are the CRDs of policies.
func policyFiles() []string {
	return []string{"deploy/chart/files/crds/crosswalk.dev_validationpolicies.yaml", "deploy/chart/files/crds/crosswalk.dev_mutationpolicies.yaml"}
}

// What is generated, for the other package of api too, is what make generate would write
// today.
func TestGeneratedFilesAreCurrent(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	// The go command caches the result of a test by the files that the test
	// reads itself, not by those that its children read: so look at the source.
	for _, folder := range []string{".", "../conversion/v1alpha1", "../../internal/tools"} {
		if _, err := os.ReadDir(folder); err != nil {
			t.Fatal(err)
		}
	}
	own, conversion := t.TempDir(), t.TempDir()
	for _, args := range [][]string{
		{"controller-gen", "object", "crd", "paths=./api/v1alpha1", "output:object:dir=" + own, "output:crd:dir=" + own},
		{"controller-gen", "object", "paths=./api/conversion/v1alpha1", "output:object:dir=" + conversion},
		{"openapi-gen", "--output-dir", conversion, "--output-file", "zz_generated.openapi.go",
			"--output-pkg", "github.com/crosswalk-dev/crosswalk/internal/aggregated", "./api/conversion/v1alpha1"},
	} {
		command := exec.Command("go", append([]string{"tool", "-modfile=internal/tools/go.mod"}, args...)...)
		command.Dir = root
		if text, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", command.Args, err, text)
		}
	}
	all := map[string]string{ // by what was generated now
		filepath.Join(own, "zz_generated.deepcopy.go"):        "api/v1alpha1/zz_generated.deepcopy.go",
		filepath.Join(own, filepath.Base(crdFile)):            crdFile,
		filepath.Join(conversion, "zz_generated.deepcopy.go"): "api/conversion/v1alpha1/zz_generated.deepcopy.go",
		filepath.Join(conversion, "zz_generated.openapi.go"):  "internal/aggregated/zz_generated.openapi.go",
	}
	for _, file := range policyFiles() {
		all[filepath.Join(own, filepath.Base(file))] = file
	}
	for generated, committed := range all {
		want, err := os.ReadFile(generated)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(root, committed))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what its source says: run make generate", committed)
		}
	}
}

func readCRD(t *testing.T, file string) *apiextensions.CustomResourceDefinition {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../..", file))
	if err != nil {
		t.Fatal(err)
	}
	var external apiextensionsv1.CustomResourceDefinition
	if err := yaml.UnmarshalStrict(text, &external); err != nil {
		t.Fatal(err)
	}
	apiextensionsv1.SetDefaults_CustomResourceDefinition(&external)
	apiextensionsv1.SetDefaults_CustomResourceDefinitionSpec(&external.Spec)
	external.Status.StoredVersions = []string{v1alpha1.Version}
	var internal apiextensions.CustomResourceDefinition
	if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(&external, &internal, nil); err != nil {
		t.Fatal(err)
	}
	return &internal
}

// The API server's own validation takes the CRDs.
func TestCRDsAreValid(t *testing.T) {
	for _, file := range append(policyFiles(), crdFile) {
		if problems := validation.ValidateCustomResourceDefinition(t.Context(), readCRD(t, file)); len(problems) > 0 {
			t.Errorf("%s: %v", file, problems.ToAggregate())
		}
	}
}

// A category that is called as a kind is would make kubectl take the kind for the
// category, and "kubectl get crosswalk NAME" for several kinds.
func TestCategoryIsNoKind(t *testing.T) {
	for _, file := range append(policyFiles(), crdFile) {
		if names := readCRD(t, file).Spec.Names; !slices.Equal(names.Categories, []string{"crosswalk-dev"}) {
			t.Errorf("%s has the categories %q", names.Kind, names.Categories)
		}
	}
}

// The API server keeps every field of a table, nested rows included.
func TestCRDPrunesNothing(t *testing.T) {
	crd := readCRD(t, crdFile)
	structural, err := structuralschema.NewStructural(crd.Spec.Validation.OpenAPIV3Schema)
	if err != nil {
		t.Fatal(err)
	}
	object := map[string]any{}
	if err := yaml.Unmarshal([]byte(everyField), &object); err != nil {
		t.Fatal(err)
	}
	pruned := runtime.DeepCopyJSON(object)
	pruning.Prune(pruned, structural, true)
	want, err := yaml.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	got, err := yaml.Marshal(pruned)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
