package chart

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/mattfenwick/cyclonus/pkg/matcher"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
)

// peers of connections, each with labels that it has in a cluster.
var peers = map[string]*matcher.TrafficPeer{
	"serve":      pod("10.0.0.1", "crosswalk-system", map[string]string{"app.kubernetes.io/name": "crosswalk", "app.kubernetes.io/component": "serve"}),
	"manage":     pod("10.0.0.2", "crosswalk-system", map[string]string{"app.kubernetes.io/name": "crosswalk", "app.kubernetes.io/component": "manage"}),
	"neighbour":  pod("10.0.0.3", "crosswalk-system", map[string]string{"app": "neighbour"}),
	"stranger":   pod("10.0.0.4", "default", map[string]string{"app.kubernetes.io/component": "manage"}),
	"prometheus": pod("10.0.0.5", "monitoring", map[string]string{"app.kubernetes.io/name": "prometheus"}),
	"agent":      pod("10.0.0.6", "kube-system", map[string]string{"k8s-app": "konnectivity-agent"}),
	"apiserver":  {IP: "192.0.2.7"},
	"world":      {IP: "203.0.113.1"},
}

func pod(ip, namespace string, labels map[string]string) *matcher.TrafficPeer {
	return &matcher.TrafficPeer{IP: ip, Internal: &matcher.InternalPeer{
		Namespace: namespace, NamespaceLabels: map[string]string{"kubernetes.io/metadata.name": namespace}, PodLabels: labels,
	}}
}

// TestNetworkPolicy asks the matcher by which Cyclonus judges network plugins who reaches
// whom. It lists all connections that begin or end at Crosswalk and are allowed, of those
// between all peers on the ports that Crosswalk or API servers listen on, and on two others.
func TestNetworkPolicy(t *testing.T) {
	const apiServers = `"apiServers":{"cidrs":["192.0.2.0/28"]}`
	toAPIServers := []string{"manage to apiserver:443", "manage to apiserver:6443", "serve to apiserver:443", "serve to apiserver:6443"}
	scraping := []string{
		"agent to manage:8081", "agent to serve:8081", "manage to serve:8081", "neighbour to manage:8081", "neighbour to serve:8081",
		"prometheus to manage:8081", "prometheus to serve:8081", "serve to manage:8081", "stranger to manage:8081", "stranger to serve:8081",
	}
	tests := map[string]struct {
		values []string
		want   []string
	}{
		"API servers are known": {
			[]string{`networkPolicy={"enabled":true,` + apiServers + `,"metricsFrom":[]}`},
			append([]string{"apiserver to serve:8443", "manage to serve:8443"}, toAPIServers...),
		},
		"with the API groups": {
			[]string{`networkPolicy={"enabled":true,` + apiServers + `,"metricsFrom":[]}`, `aggregated.enabled=true`},
			append([]string{"apiserver to serve:6443", "apiserver to serve:8443", "manage to serve:8443"}, toAPIServers...),
		},
		"at other ports": {
			[]string{`networkPolicy={"enabled":true,"apiServers":{"cidrs":["192.0.2.0/28"],"ports":[9000]},"metricsFrom":[{"podSelector":{"matchLabels":{"app":"neighbour"}}}]}`,
				`serve.ports={"webhook":9443,"health":9081}`},
			[]string{"apiserver to serve:9443", "manage to apiserver:9000", "manage to serve:9443", "neighbour to manage:8081", "neighbour to serve:9081", "serve to apiserver:9000"},
		},
		"metrics for all": {
			[]string{`networkPolicy={"enabled":true,` + apiServers + `}`},
			// Crosswalk's own Pods do not scrape each other: they may not send there.
			append(append([]string{"apiserver to serve:8443", "manage to serve:8443"}, toAPIServers...), slices.DeleteFunc(slices.Clone(scraping), func(c string) bool {
				return c == "manage to serve:8081" || c == "serve to manage:8081"
			})...),
		},
		"metrics for one namespace": {
			[]string{`networkPolicy={"enabled":true,` + apiServers + `,"metricsFrom":[{"namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"monitoring"}}}]}`},
			append([]string{"apiserver to serve:8443", "manage to serve:8443", "prometheus to manage:8081", "prometheus to serve:8081"}, toAPIServers...),
		},
		"API servers that ask by way of an agent": {
			[]string{`networkPolicy={"enabled":true,` + apiServers + `,"metricsFrom":[],"serve":{"extraIngress":[{"from":[{"namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"kube-system"}},"podSelector":{"matchLabels":{"k8s-app":"konnectivity-agent"}}}],"ports":[{"port":8443}]}]},"manage":{"extraEgress":[{"ports":[{"port":9000}],"to":[{"ipBlock":{"cidr":"203.0.113.0/24"}}]}]}}`},
			append([]string{"agent to serve:8443", "apiserver to serve:8443", "manage to serve:8443", "manage to world:9000"}, toAPIServers...),
		},
		"API servers anywhere": {
			[]string{`networkPolicy={"enabled":true,"metricsFrom":[]}`},
			append(anywhere("serve:8443"), append(reached("serve"), reached("manage")...)...),
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			policies := networkPolicies(t, test.values...)
			ports := []int{443, 6443, 8081, 8443, 9000, 9081, 9443}
			var got []string
			for _, from := range slices.Sorted(maps.Keys(peers)) {
				for _, to := range slices.Sorted(maps.Keys(peers)) {
					if from == to || !ours(from) && !ours(to) {
						continue
					}
					for _, port := range ports {
						allowed := policies.IsTrafficAllowed(&matcher.Traffic{Source: peers[from], Destination: peers[to], ResolvedPort: port, Protocol: corev1.ProtocolTCP})
						if allowed.IsAllowed() {
							got = append(got, fmt.Sprintf("%s to %s:%d", from, to, port))
						}
					}
				}
			}
			slices.Sort(got)
			want := slices.Sorted(slices.Values(test.want))
			want = slices.Compact(want)
			if !slices.Equal(got, want) {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

func ours(peer string) bool { return peer == "serve" || peer == "manage" }

// anywhere are connections from everybody who may send them: Crosswalk's own Pods send only
// where their rules let them.
func anywhere(to string) []string {
	var found []string
	for from := range peers {
		if from != "serve" {
			found = append(found, from+" to "+to)
		}
	}
	return found
}

// reached are connections of a role to everything at the ports of API servers, but for
// Crosswalk's own Pods, which do not take them.
func reached(role string) []string {
	var found []string
	for to := range peers {
		if !ours(to) {
			found = append(found, role+" to "+to+":443", role+" to "+to+":6443")
		}
	}
	return found
}

func networkPolicies(t *testing.T, values ...string) *matcher.Policy {
	t.Helper()
	rendered := render(t, values...)
	var policies []*networkingv1.NetworkPolicy
	for _, role := range []string{"serve", "manage"} {
		policy := new(networkingv1.NetworkPolicy)
		read(t, rendered, "NetworkPolicy crosswalk-system/crosswalk-"+role, policy)
		policies = append(policies, policy)
	}
	return matcher.BuildNetworkPolicies(false, policies)
}
