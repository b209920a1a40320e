package certificates

import (
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// overlay returns the objects of deploy/overlays/cert-manager that are of the
// kinds.
func (c cluster) overlay(t *testing.T, kinds ...string) string {
	t.Helper()
	return selectKinds(t, c.kubectl(t, "kustomize", filepath.Join(c.programs.Root, "deploy", "overlays", "cert-manager")), kinds...)
}

// selectKinds returns the documents of a manifest that are of the kinds.
func selectKinds(t *testing.T, manifest string, kinds ...string) string {
	t.Helper()
	var chosen []string
	for document := range strings.SplitSeq(manifest, "\n---\n") {
		var object struct{ Kind string }
		if err := yaml.Unmarshal([]byte(document), &object); err != nil {
			t.Fatal(err)
		}
		for _, kind := range kinds {
			if object.Kind == kind {
				chosen = append(chosen, document)
			}
		}
	}
	if len(chosen) == 0 {
		t.Fatalf("no document of %q", kinds)
	}
	return strings.Join(chosen, "\n---\n")
}

// applyCertificates applies what of the overlay is cert-manager's.
func (c cluster) applyCertificates(t *testing.T) {
	t.Helper()
	c.apply(t, c.overlay(t, "Namespace", "Issuer", "Certificate"))
}

// issued waits for Crosswalk's Certificate and returns its Secret.
func (c cluster) issued(t *testing.T) secret {
	t.Helper()
	c.idle(t, serving)
	s := c.secret(t, serving)
	if s.Type != "kubernetes.io/tls" {
		t.Errorf("the Secret is of type %s", s.Type)
	}
	return s
}
