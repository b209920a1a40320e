package crontab

import (
	"strings"
	"testing"
)

// testScale scales through the other version with kubectl, and reads the Scale as
// a HorizontalPodAutoscaler does.
func (v variant) testScale(t *testing.T) {
	name := v.create(t, "scale")
	if _, err := v.via.MergePatch(t.Context(), name+"/status", `{"status":{"replicas":3,"labelSelector":"app=backup"}}`); err != nil {
		t.Fatal(err)
	}
	resource := "crontabs." + v.other.Version + "." + v.other.Group
	if _, err := v.scene.ControlPlane.Kubectl(t.Context(), "scale", resource, name, "--replicas=7"); err != nil {
		t.Fatal(err)
	}
	wantSpec(t, v.via, name, strings.Replace(v.own, `"replicas":3`, `"replicas":7`, 1))
	wantSpec(t, v.other, name, strings.Replace(v.seen, `"replicas":3`, `"replicas":7`, 1))
	scale := mustGet(t, v.other, name+"/scale")
	wantField(t, scale, `{"replicas":7}`, "spec")
	wantField(t, scale, `{"replicas":3,"selector":"app=backup"}`, "status")
}
