package registration

import (
	"slices"

	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
)

// asks reports whether a webhook has any rule.
func asks(sides []webhooks.Side, name string) bool {
	return slices.ContainsFunc(sides, func(s webhooks.Side) bool {
		w := s.Webhook(name)
		return w != nil && len(w.Rules) > 0
	})
}

// guarded returns the versions of a table that both the guard and the strict webhook are
// registered for.
func guarded(sides []webhooks.Side, t Table) []string {
	var versions []string
	for i, name := range []string{GuardWebhook, StrictWebhook} {
		var told []string
		if w := sides[i].Webhook(name); w != nil {
			for _, rule := range w.Rules {
				if slices.Contains(rule.APIGroups, t.Group) && slices.Contains(rule.Resources, t.Resource) {
					told = append(told, rule.APIVersions...)
				}
			}
		}
		if i == 0 {
			versions = told
			continue
		}
		versions = slices.DeleteFunc(versions, func(v string) bool { return !slices.Contains(told, v) })
	}
	return versions
}
