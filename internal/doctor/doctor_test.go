package doctor

import (
	"strings"
	"testing"
)

func TestNothingIsWrong(t *testing.T) {
	f := installed(t)
	got, report := examine(t, f)
	if got != "" || report.State != OK {
		t.Errorf("%s:\n%s", report.State, got)
	}
	var all strings.Builder
	for _, c := range report.Checks {
		all.WriteString(c.Text())
	}
	for _, line := range []string{
		"ok           Service          crosswalk-system/crosswalk, 1 ready\n",
		"ok           serve            1 of 1 replicas ready\n",
		"ok           manage           1 of 1 replicas ready, leader crosswalk-manage-0\n",
		"ok           conversion       the API server, the Service and a replica convert an object\n",
		"ok           webhooks         5 webhooks in 4 configurations\n",
		"ok           tables           2 of 2 ready\n",
		"ok           policies         1 of 1 ready\n",
		"ok           stored versions  2 CustomResourceDefinitions\n",
		"ok           stashes          1 object of 1 resource\n",
	} {
		if !strings.Contains(all.String(), line) {
			t.Errorf("there is no line\n%sin\n%s", line, all.String())
		}
	}
	if got := report.Summary(); got != "no problem found\n" {
		t.Errorf("the summary is %q", got)
	}
}
