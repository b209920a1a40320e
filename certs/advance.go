package certs

import (
	"crypto/x509"
	"fmt"
	"time"
)

// maxRetired is how many retired CAs a bundle may hold. With more, a requested rotation waits
// until one of them leaves the bundle. Every object that names Crosswalk holds a copy of the
// bundle, and the requests may come from a loop.
const maxRetired = 8

// Conditions are what a keyring cannot find out by itself.
type Conditions struct {
	// Request asks for a rotation with any text that differs from the last request that was
	// followed. An empty text asks for nothing. A request that comes during a rotation is
	// answered by that rotation.
	Request string
	// Injected reports whether every bundle that should hold [Keyring.Bundle] holds it. It is
	// used only while the keyring is [Keyring.Rotating].
	Injected bool
	// Overlap is how long Injected must have been true before the next CA signs. It must be as
	// long as the slowest client may go on using a bundle that has been replaced.
	Overlap time.Duration
	// Served is what is served now: tls.crt, tls.key and, as ca.crt, the bundle that clients
	// have. It tells which CAs they trust if the keyring does not.
	Served map[string][]byte
}

// Advance takes the one step that is due. The caller writes the new keyring's Data and calls
// Advance again until the step is [StepNone]. With [StepNone] and with an error, the keyring is
// k itself. The caller may be interrupted between two steps. It may also be interrupted between
// the pieces of one step, if it writes them in the order of [KeyringPieces]. The next Advance
// repairs what the interruption left.
//
// A rotation begins on request, or when a tenth of the CA's life is left. It adds a next CA to
// the bundle. The next CA signs once [Conditions.Injected] has been true for the overlap. The
// old CA leaves the bundle when its last leaf has expired. So a client trusts every leaf that
// may be served, if it has the bundle or had the previous one within the overlap. If the key
// of the old CA is lost, the rotation begins at once and is otherwise the same: what is served
// is not renewed meanwhile. The next CA signs without waiting only if nothing is served that a
// client accepts.
//
// The error is [ErrForeign], or that a CA is not valid yet.
func (k *Keyring) Advance(now time.Time, c Conditions) (*Keyring, Step, error) {
	n := k.clone()
	step, err := n.advance(now.UTC().Round(0), c)
	if err != nil || step == StepNone {
		return k, StepNone, err
	}
	n.damage = damage{}
	return n, step, nil
}

func (k *Keyring) advance(now time.Time, c Conditions) (Step, error) {
	served := usable(c.Served, now)
	switch {
	case k.damage.next != nil || k.damage.record != nil:
		if k.damage.next != nil {
			k.record.Handled = "" // the rotation that was begun is given up, so the request may begin another
		}
		if k.damage.record != nil {
			// Nobody knows whether the request was followed. A request can be repeated, but a
			// rotation cannot be undone.
			k.record.Handled = c.Request
		}
		return StepRecovered, nil
	case served != nil && (k.damage.signing != nil || k.Empty() || !acceptedBy(k.trusted(), served, now)):
		return k.adopt(now, c, served)
	case k.Empty():
		k.retired, k.record = nil, record{Handled: c.Request}
		return StepCreated, renew(&k.signing, now)
	case k.signing == nil && k.next.valid(now) && served != nil && k.next.signed(served.Leaf()):
		k.promote(now)
		return StepRecovered, nil
	case k.signing == nil && k.next.valid(now) && (served == nil || !now.Before(served.Leaf().NotAfter.Add(-backdate))):
		k.promote(now)
		return StepReplaced, nil
	case k.signing != nil && k.signing.certificate == nil:
		return StepRecovered, k.signing.selfSign(now)
	case k.signing != nil && now.Before(k.signing.certificate.NotBefore):
		return StepNone, piece(authorityCertificateFile,
			fmt.Errorf("it is not valid before %s; is the clock right?", date(k.signing.certificate.NotBefore)))
	case k.signing != nil && k.signing.expired(now):
		if !k.next.valid(now) {
			return k.publish(now, c)
		}
		k.promote(now)
		return StepReplaced, nil
	case k.retire(now):
		return StepRetired, nil
	case k.remember(now):
		return StepNoted, nil
	case k.next != nil:
		return k.rotate(now, c)
	case rotationDue(k.signing.certificate, now) || k.requested(c) && len(k.retired) < maxRetired:
		return k.publish(now, c)
	}
	return StepNone, nil
}

func (k *Keyring) requested(c Conditions) bool {
	return c.Request != "" && c.Request != k.record.Handled
}

// publish adds a next CA. It replaces a next CA that is there already, which has signed
// nothing.
func (k *Keyring) publish(now time.Time, c Conditions) (Step, error) {
	k.follow(c)
	k.record.Injected = nil
	return StepPublished, renew(&k.next, now)
}

// rotate takes the next step of the current rotation.
func (k *Keyring) rotate(now time.Time, c Conditions) (Step, error) {
	injected := k.record.Injected
	switch {
	case k.next.certificate == nil: // interrupted between key and certificate
		k.follow(c)
		k.record.Injected = nil
		return StepPublished, k.next.selfSign(now)
	case !k.next.valid(now):
		return k.publish(now, c)
	case k.requested(c):
		k.follow(c)
		return StepNoted, nil
	case !c.Injected && injected != nil:
		k.record.Injected = nil
		return StepWithheld, nil
	case !c.Injected:
		return StepNone, nil
	case injected == nil || injected.After(now): // or the clock was set back
		k.record.Injected = &now
		return StepInjected, nil
	case now.Sub(*injected) >= c.Overlap:
		k.promote(now)
		return StepPromoted, nil
	}
	return StepNone, nil
}

func (k *Keyring) follow(c Conditions) {
	if c.Request != "" {
		k.record.Handled = c.Request
	}
}

func (k *Keyring) promote(now time.Time) {
	if k.signing != nil {
		k.retired = append(k.retired, k.signing.certificate)
		k.retireAt(k.signing.certificate, lastLeafExpiry(now))
	}
	k.signing, k.next = k.next, nil
	k.record.Injected = nil
}

// retire drops the CAs that no leaf needs any more. It reports whether it dropped one.
func (k *Keyring) retire(now time.Time) bool {
	var kept []*x509.Certificate
	for _, c := range k.retired {
		until, known := k.record.Retired[fingerprint(c)]
		if now.After(c.NotAfter) || known && now.After(until) {
			delete(k.record.Retired, fingerprint(c))
			continue
		}
		kept = append(kept, c)
	}
	dropped := len(kept) < len(k.retired)
	k.retired = kept
	return dropped
}

// remember notes, for each CA without a key here, how long its leaves may live, whoever added
// the CA. It forgets CAs that have left the bundle, and a rotation that has ended. It reports
// whether it changed anything.
func (k *Keyring) remember(now time.Time) (changed bool) {
	if k.next == nil && k.record.Injected != nil {
		k.record.Injected, changed = nil, true
	}
	present := map[string]bool{}
	for _, c := range k.retired {
		mark := fingerprint(c)
		present[mark] = true
		if _, known := k.record.Retired[mark]; !known {
			k.retireAt(c, lastLeafExpiry(now))
			changed = true
		}
	}
	for mark := range k.record.Retired {
		if !present[mark] {
			delete(k.record.Retired, mark)
			changed = true
		}
	}
	return changed
}

func (k *Keyring) retireAt(c *x509.Certificate, until time.Time) {
	if k.record.Retired == nil {
		k.record.Retired = map[string]time.Time{}
	}
	k.record.Retired[fingerprint(c)] = until
}

// lastLeafExpiry is when a CA's last leaf has expired if the CA signs no more from now on. It
// includes an hour for clients whose clock is behind.
func lastLeafExpiry(now time.Time) time.Time { return now.Add(leafValidity + backdate) }
