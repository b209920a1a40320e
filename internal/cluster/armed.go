package cluster

import (
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Service is the Service through which the API server reaches `serve`.
type Service struct{ Namespace, Name string }

// ConvertPath returns the URL path of the table with a fingerprint.
func ConvertPath(fingerprint string) string { return convertPath + fingerprint }

// CompiledParameter is the query parameter that makes a replica answer only if it compiles the
// table to this fingerprint itself.
const CompiledParameter = "compiled"

// UnplacedHeader is the header of an answer to that parameter with the number of seconds since a
// conversion by the table has last found no place for a value that an earlier table has kept. It is
// missing if none has.
const UnplacedHeader = "Crosswalk-Unplaced"

const convertPath = "/convert/"

// ArmedWith returns the fingerprint of the table that a CRD requests from this Service. asks
// reports whether the CRD names this Service at all.
func (s Service) ArmedWith(crd *apiextensionsv1.CustomResourceDefinition) (fingerprint string, asks bool) {
	c := crd.Spec.Conversion
	if c == nil || c.Strategy != apiextensionsv1.WebhookConverter || c.Webhook == nil || c.Webhook.ClientConfig == nil {
		return "", false
	}
	service := c.Webhook.ClientConfig.Service
	if service == nil || service.Namespace != s.Namespace || service.Name != s.Name {
		return "", false
	}
	if service.Path != nil {
		if rest, ours := strings.CutPrefix(*service.Path, convertPath); ours {
			return rest, true
		}
	}
	return "", true
}
