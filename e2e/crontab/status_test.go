package crontab

import "testing"

// testStatus writes status through the version that the spec was not written in.
// Neither side's own fields may suffer from the other's writes.
func (v variant) testStatus(t *testing.T) {
	name := v.create(t, "status")
	own := map[string]string{
		"v1beta1": `"message":"done"`,
		"v1":      `"lastRunTime":"2026-01-02T03:04:05Z"`,
	}
	const shared = `"replicas":2,"labelSelector":"app=backup"`
	if _, err := v.other.MergePatch(t.Context(), name+"/status", `{"status":{`+shared+`,`+own[v.other.Version]+`}}`); err != nil {
		t.Fatal(err)
	}
	wantField(t, mustGet(t, v.other, name), `{`+shared+`,`+own[v.other.Version]+`}`, "status")
	wantField(t, mustGet(t, v.via, name), `{`+shared+`}`, "status")
	wantSpec(t, v.via, name, v.own)

	if _, err := v.via.MergePatch(t.Context(), name+"/status", `{"status":{"replicas":3,`+own[v.via.Version]+`}}`); err != nil {
		t.Fatal(err)
	}
	const after = `"replicas":3,"labelSelector":"app=backup"`
	wantField(t, mustGet(t, v.via, name), `{`+after+`,`+own[v.via.Version]+`}`, "status")
	wantField(t, mustGet(t, v.other, name), `{`+after+`,`+own[v.other.Version]+`}`, "status")

	// A write of the spec leaves both.
	if _, err := v.other.MergePatch(t.Context(), name, `{"spec":`+v.edit+`}`); err != nil {
		t.Fatal(err)
	}
	wantSpec(t, v.via, name, v.edited)
	wantField(t, mustGet(t, v.via, name), `{`+after+`,`+own[v.via.Version]+`}`, "status")
	wantField(t, mustGet(t, v.other, name), `{`+after+`,`+own[v.other.Version]+`}`, "status")
}
