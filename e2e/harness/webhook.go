package harness

import (
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// webhook is where the API server finds Crosswalk.
type webhook struct {
	port     int
	caBundle []byte
	// fingerprint names the table in the path of the conversion route: a changed
	// table has another path, which makes the API server drop what it keeps
	// converted.
	fingerprint string
}

// The Service that the CRDs name, and the name in Crosswalk's certificate.
const (
	namespace = "crosswalk-system"
	service   = "crosswalk"
	dnsName   = service + "." + namespace + ".svc"
)

// serviceManifest declares the Service and its namespace. There is no kube-proxy,
// so the Service is of type ExternalName and leads to loopback: the API server
// then connects to localhost, at the port of the client configuration, and still
// asks for the certificate of <service>.<namespace>.svc.
func serviceManifest() string {
	return fmt.Sprintf(`{"apiVersion": "v1", "kind": "List", "items": [
  {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": %q}},
  {"apiVersion": "v1", "kind": "Service", "metadata": {"name": %q, "namespace": %q},
   "spec": {"type": "ExternalName", "externalName": "localhost"}}
]}`, namespace, service, namespace)
}

// arm returns the table's CRD with Crosswalk as its converter.
func (t Table) arm(w webhook) *apiextensionsv1.CustomResourceDefinition {
	path, port := "/convert/"+w.fingerprint, int32(w.port)
	armed := t.CRD.DeepCopy()
	armed.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{
		Strategy: apiextensionsv1.WebhookConverter,
		Webhook: &apiextensionsv1.WebhookConversion{
			ConversionReviewVersions: []string{"v1"},
			ClientConfig: &apiextensionsv1.WebhookClientConfig{
				Service: &apiextensionsv1.ServiceReference{
					Namespace: namespace, Name: service, Path: &path, Port: &port,
				},
				CABundle: w.caBundle,
			},
		},
	}
	return armed
}
