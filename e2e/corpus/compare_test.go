package corpus

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/crosswalk-dev/crosswalk/internal/admit"
)

// compare holds admit's verdict against that of the API server.
func (p play) compare(got answer, want *admit.Result) {
	p.Helper()
	if want.Operation == admissionv1.Connect && want.Allowed() {
		// Nobody answers behind the API server.
		if strings.Contains(got.said, "denied") {
			p.Errorf("the API server says %s, and admit allows it", got.said)
		}
		return
	}
	if said := want.Kubectl(); got.said != said {
		p.Errorf("kubectl prints\n%sand admit\n%s", got.said, said)
	}
	warnings := slices.Clone(want.Warnings)
	slices.Sort(warnings)
	slices.Sort(got.warnings)
	if !slices.Equal(got.warnings, warnings) {
		p.Errorf("the API server warns of %q, and admit of %q", got.warnings, warnings)
	}
}

// compareChanges holds what policies change for admit against what they change for the
// API server.
func (p play) compareChanges(got, want map[string]string) {
	p.Helper()
	for _, at := range slices.Sorted(maps.Keys(got)) {
		if want[at] != got[at] {
			p.Errorf("policies make %s %s, and for admit %q", at, got[at], want[at])
		}
	}
	for _, at := range slices.Sorted(maps.Keys(want)) {
		if _, found := got[at]; !found {
			p.Errorf("for admit policies make %s %s, and for the API server nothing", at, want[at])
		}
	}
}

// changes are the places at which two objects differ, with what the second has there.
func changes(before, after map[string]any) map[string]string {
	was, is := map[string]string{}, map[string]string{}
	flatten(was, "", before)
	flatten(is, "", after)
	all := map[string]string{}
	for at, value := range is {
		if was[at] != value {
			all[at] = value
		}
	}
	for at := range was {
		if _, found := is[at]; !found {
			all[at] = "nothing"
		}
	}
	maps.DeleteFunc(all, func(at, _ string) bool { return byChance.MatchString(at) })
	return all
}

// byChance is what the API server makes another time in another way.
var byChance = regexp.MustCompile(`^\.metadata\.(managedFields|uid$|creationTimestamp$)|controller-uid$|^\.status\.(token|expirationTimestamp|lastPhaseTransitionTime|conditions\[\d+\]\.lastTransitionTime)$`)

// madeUp is the end of names that the API server makes up here.
var madeUp = regexp.MustCompile(`"(kube-api-access|made-up)-[0-9a-z]{5}"`)

func flatten(into map[string]string, at string, value any) {
	switch value := value.(type) {
	case map[string]any:
		for name, one := range value {
			flatten(into, at+"."+name, one)
		}
		if len(value) > 0 {
			return
		}
	case []any:
		for i, one := range value {
			flatten(into, fmt.Sprintf("%s[%d]", at, i), one)
		}
		if len(value) > 0 {
			return
		}
	}
	text, err := json.Marshal(value)
	if err != nil {
		text = []byte(err.Error())
	}
	into[at] = madeUp.ReplaceAllString(string(text), `"$1-xxxxx"`)
}
