package authority

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/internal/manage/tell"
)

// action is the action of every Event.
const action = "KeepCertificates"

// tell reports a step, and what was wrong before it, which may be nil.
func (k *keeper) tell(ctx context.Context, authority *corev1.Secret, ring *certs.Keyring, step certs.Step, cause error) {
	text := step.String()
	if cause != nil && step.Level() >= slog.LevelWarn {
		text = fmt.Sprintf("%s (%v)", text, cause)
	}
	signsUntil := "no CA signs"
	if at := ring.Expiry(); !at.IsZero() {
		signsUntil = at.UTC().Format(time.RFC3339)
	}
	k.Logger.Log(ctx, step.Level(), text, "secret", k.path(k.Secret), "step", string(step), "signsUntil", signsUntil)
	switch level := step.Level(); {
	case level >= slog.LevelWarn:
		k.warn(authority, string(step), text)
	case level >= slog.LevelInfo:
		k.normal(authority, string(step), text)
	}
}

func (k *keeper) normal(secret *corev1.Secret, reason, note string) {
	k.event(secret, corev1.EventTypeNormal, reason, note)
}

func (k *keeper) warn(secret *corev1.Secret, reason, note string) {
	k.event(secret, corev1.EventTypeWarning, reason, note)
}

func (k *keeper) event(secret *corev1.Secret, kind, reason, note string) {
	if k.Events == nil || secret == nil {
		return
	}
	k.Events.Eventf(secret, nil, kind, reason, action, "%s", tell.Note(note))
}

// lastError remembers the error that was reported last. At first it is nil.
type lastError struct {
	mu   sync.Mutex
	text string
}

// changed stores err and reports whether it differs from the previous error.
func (t *lastError) changed(err error) bool {
	text := ""
	if err != nil {
		text = err.Error()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	changed := t.text != text
	t.text = text
	return changed
}
