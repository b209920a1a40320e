package harness

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	appsv1 "k8s.io/api/apps/v1"
)

// Namespace is where Crosswalk is installed.
const Namespace = "crosswalk-system"

// Accounts is how the API server's names for Crosswalk's accounts begin.
const Accounts = "system:serviceaccount:" + Namespace + ":crosswalk-"

// apply applies the overlay, a folder in deploy/.
func apply(ctx context.Context, c *ControlPlane, programs Programs, overlay string) error {
	_, err := c.Kubectl(ctx, "apply", "-k", filepath.Join(programs.Root, "deploy", filepath.FromSlash(overlay)))
	return err
}

// leadToLoopback plays kube-proxy: the API server connects to localhost, at the port of
// the CRD's client configuration or of the APIServices, and still asks for the
// certificate of the Service. aggregated is 0 where there are no APIServices.
func leadToLoopback(ctx context.Context, c *ControlPlane, aggregated int) error {
	if _, err := c.Kubectl(ctx, "patch", "service", "crosswalk", "--namespace", Namespace, "--patch",
		`{"spec": {"type": "ExternalName", "externalName": "localhost"}}`); err != nil || aggregated == 0 {
		return err
	}
	_, err := c.Kubectl(ctx, "patch", "apiservices", "--type=merge", "--patch", fmt.Sprintf(`{"spec": {"service": {"port": %d}}}`, aggregated),
		"v1alpha1.conversion.crosswalk.dev", "v1alpha1.admission.crosswalk.dev")
	return err
}

// deployedArgs reads from the Deployments how the roles are run, so that what is
// deployed is what is tested.
func deployedArgs(ctx context.Context, c *ControlPlane) (map[string][]string, error) {
	said, err := c.Kubectl(ctx, "get", "deployments", "--namespace", Namespace, "-o", "json")
	if err != nil {
		return nil, err
	}
	var deployments appsv1.DeploymentList
	if err := json.Unmarshal([]byte(said), &deployments); err != nil {
		return nil, err
	}
	args := map[string][]string{}
	for _, d := range deployments.Items {
		container := d.Spec.Template.Spec.Containers[0]
		args[container.Name] = container.Args
	}
	for _, role := range []string{"serve", "manage"} {
		if len(args[role]) == 0 {
			return nil, fmt.Errorf("there is no Deployment with a container %s and its args", role)
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
