package command

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/internal/rights"
)

// rights returns the rights that serve needs with these flags. deploy and the chart grant them.
// The rights of lookups depend on the policies, and their statuses report those.
func (o *serveOptions) rights() []rights.Right {
	var all []rights.Right
	if !o.fromFiles() {
		all = slices.Concat(rights.Parse("",
			"get,list,watch crosswalks.crosswalk.dev",
			"list,watch validationpolicies.crosswalk.dev",
			"list,watch mutationpolicies.crosswalk.dev",
			"get,list,watch customresourcedefinitions.apiextensions.k8s.io",
			"get,list,watch namespaces",
		), rights.Parse(o.cluster.namespace, "list,watch controllerrevisions.apps"))
	}
	if o.certs.from == certsSecret {
		all = append(all, rights.Parse(o.cluster.namespace, "list,watch secrets "+o.certs.secret)...)
	}
	if o.aggregatedListen != "" {
		all = append(all, rights.Parse("", "create tokenreviews.authentication.k8s.io", "create subjectaccessreviews.authorization.k8s.io")...)
		all = append(all, rights.Parse("kube-system", "get,list,watch configmaps extension-apiserver-authentication")...)
	}
	return all
}
