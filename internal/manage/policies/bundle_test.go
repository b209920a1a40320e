package policies

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/manage/rehearsal"
	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
)

func TestNoBundle(t *testing.T) {
	s := newStage(t)
	a := validation(t, "a", "")
	s.put(a)
	s.learn(a)
	s.serving.Err = errors.New("the Secret is missing")
	s.pass()
	s.wantAsked()
	s.wantStatus("a", v1alpha1.ConditionReady, "1 False NoCertificate: there is no CA bundle: the Secret is missing")
	s.serving.Err = nil
	s.pass()
	s.wantAsked("a Fail")
}

// A new CA comes into the webhooks once serve is believed by it, and rotation waits
// for that.
func TestBundleFollows(t *testing.T) {
	s := newStage(t)
	a := validation(t, "a", "")
	s.put(a)
	s.learn(a)
	s.pass()
	second, err := rehearsal.Authority(t).Current()
	if err != nil {
		t.Fatal(err)
	}
	first, both := s.serving.Pair, *s.serving.Pair
	both.CABundle = append(bytes.Clone(both.CABundle), second.CABundle...)
	const lacks = " of crosswalk-policies does not hold the new CA yet"
	if err := webhooks.Injected(t.Context(), s.client, both.CABundle, Names()); err == nil || !strings.HasSuffix(err.Error(), lacks) {
		t.Errorf("got %v", err)
	}
	s.serving.Pair = &both
	s.pass()
	if err := webhooks.Injected(t.Context(), s.client, both.CABundle, Names()); err != nil {
		t.Error(err)
	}
	s.serving.Pair = second // by which nobody is believed that answers now
	if after := s.pass(); after == 0 {
		t.Error("it does not look again")
	}
	if err := webhooks.Injected(t.Context(), s.client, first.CABundle, Names()); err != nil {
		t.Error(err)
	}
}
