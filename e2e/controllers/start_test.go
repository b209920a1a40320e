package controllers

import (
	"testing"
	"time"
)

// testStartAway starts the controllers, as after a change of leader, while
// Crosswalk is away: the collector then has never seen the objects that need it.
func (s *stage) testStartAway(t *testing.T) {
	needs, other := s.crontabs(v1beta1Stored, "v1beta1", "default"), s.crontabs(v1Stored, "v1", "default")
	create(t, needs, "late", configMapOwner(s, t, "late-needs"))
	create(t, other, "late", configMapOwner(s, t, "late-other"))
	back := s.away(t)
	s.stopControllers(t)
	s.startControllers(t)
	s.kubectl(t, "", "delete", "configmap", "late-needs", "late-other")
	eventually(t, time.Minute, func() string { return s.gone(t, other, "late") })
	s.wantFailure(t, "error syncing item", `Name:\"late\"`, conversionFails(needs.Group))
	if left := s.gone(t, needs, "late"); left == "" {
		t.Error("collected without a converter")
	}
	back()
	eventually(t, 2*time.Minute, func() string { return s.gone(t, needs, "late") })
}
