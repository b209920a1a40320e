package links

import "testing"

func TestAbsolute(t *testing.T) {
	for markdown, want := range map[string]string{
		"[alerts](../../docs/alerts.md#gone) and [more](values.yaml).": "[alerts](https://github.com/crosswalk-dev/crosswalk/blob/v1.2.3/docs/alerts.md#gone) and [more](https://github.com/crosswalk-dev/crosswalk/blob/v1.2.3/deploy/chart/values.yaml).",
		"[below](#network-policies)":                                   "[below](#network-policies)",
		"[Helm](https://helm.sh/docs/) (docs/alerts.md)":               "[Helm](https://helm.sh/docs/) (docs/alerts.md)",
	} {
		if got := Absolute(markdown, "deploy/chart", "v1.2.3"); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", markdown, got, want)
		}
	}
}
