package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"sigs.k8s.io/yaml"
)

// The Applications of deploy/gitops are such that Argo CD knows, and the one that needs
// the other to be installed is tried again without end.
func TestApplications(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "deploy", "gitops", "argocd.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]v1alpha1.ApplicationSpec{}
	for _, document := range strings.Split(string(text), "\n---\n") {
		var a v1alpha1.Application
		if err := yaml.UnmarshalStrict([]byte(document), &a); err != nil {
			t.Fatal(err)
		}
		if got := a.GroupVersionKind().String(); got != v1alpha1.SchemeGroupVersion.WithKind("Application").String() {
			t.Errorf("%s is of the kind %s", a.Name, got)
		}
		if a.Spec.SyncPolicy == nil || a.Spec.SyncPolicy.Automated == nil {
			t.Errorf("%s is not synced by itself", a.Name)
		}
		found[a.Name] = a.Spec
	}
	if len(found) != 2 || found["crosswalk"].Source == nil || found["kinds"].Source == nil {
		t.Fatalf("there are %v", found)
	}
	// Without refresh a mistake would be tried again, and not what mends it.
	if retry := found["kinds"].SyncPolicy.Retry; retry == nil || retry.Limit >= 0 || !retry.Refresh {
		t.Errorf("kinds is tried again %+v", retry)
	}
}
