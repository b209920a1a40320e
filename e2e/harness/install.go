package harness

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/yaml"
)

// Namespace is where Crosswalk is installed.
const Namespace = "crosswalk-system"

// writeOverlay writes the overlay into dir. There is no kube-proxy, so the Service
// leads to loopback: the API server connects to localhost, at the port of the
// CRD's client configuration or of the APIService, and still asks for the certificate
// of the Service. aggregated is 0 where there is no APIService.
func writeOverlay(dir, base string, port, aggregated int) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	// kustomize takes relative paths only, and follows links before it does.
	at, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	if base, err = filepath.EvalSymlinks(base); err != nil {
		return err
	}
	relative, err := filepath.Rel(at, base)
	if err != nil {
		return err
	}
	overlay := fmt.Appendf(nil, `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [%q]
patches:
- target: {kind: Service, name: crosswalk}
  patch: |-
    - op: replace
      path: /spec
      value:
        type: ExternalName
        externalName: localhost
        ports: [{name: https, port: %d}]
`, filepath.ToSlash(relative), port)
	if aggregated != 0 {
		overlay = fmt.Appendf(overlay, `- target: {kind: APIService}
  patch: |-
    - {op: replace, path: /spec/service/port, value: %d}
`, aggregated)
	}
	return os.WriteFile(filepath.Join(dir, "kustomization.yaml"), overlay, 0o600)
}

// renderArgs reads from the overlay's Deployments how the roles are run, so
// that what is deployed is what is tested.
func renderArgs(ctx context.Context, c *ControlPlane, dir string) (map[string][]string, error) {
	rendered, err := c.Kubectl(ctx, "kustomize", dir)
	if err != nil {
		return nil, err
	}
	args := map[string][]string{}
	for document := range strings.SplitSeq(rendered, "\n---\n") {
		var d appsv1.Deployment
		if err := yaml.Unmarshal([]byte(document), &d); err != nil {
			return nil, err
		}
		if d.Kind == "Deployment" {
			container := d.Spec.Template.Spec.Containers[0]
			args[container.Name] = container.Args
		}
	}
	for _, role := range []string{"serve", "manage"} {
		if len(args[role]) == 0 {
			return nil, fmt.Errorf("%s has no Deployment with a container %s and its args", dir, role)
		}
	}
	return args, nil
}

// tokenLife is how long the accounts' tokens are good. A demonstration may run
// for days.
const tokenLife = 30 * 24 * time.Hour

// writeAccount writes a kubeconfig for a ServiceAccount of Crosswalk's namespace,
// so that only its own rights count.
func writeAccount(ctx context.Context, c *ControlPlane, api *API, account, path string) error {
	request := fmt.Appendf(nil, `{"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{"expirationSeconds":%d}}`,
		int(tokenLife.Seconds()))
	answer, err := api.Do(ctx, http.MethodPost, "/api/v1/namespaces/"+Namespace+"/serviceaccounts/"+account+"/token", JSONType, request)
	if err != nil {
		return err
	}
	var token struct{ Status struct{ Token string } }
	if err := json.Unmarshal(answer, &token); err != nil {
		return err
	}
	type named map[string]any
	config, err := json.MarshalIndent(named{
		"apiVersion": "v1", "kind": "Config", "current-context": account,
		"clusters": []named{{"name": "controlplane", "cluster": named{"server": c.Server, "certificate-authority": c.CA}}},
		"users":    []named{{"name": account, "user": named{"token": token.Status.Token}}},
		"contexts": []named{{"name": account, "context": named{"cluster": "controlplane", "user": account, "namespace": Namespace}}},
	}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, config, 0o600)
}
