package certs

import (
	"crypto/x509"
	"fmt"
	"time"
)

// maxRetired is how many retired CAs a bundle may hold before another rotation
// on request waits for one of them to leave. A bundle is copied into every
// object that calls us, and a request may come from a loop.
const maxRetired = 8

// Conditions are what a keyring cannot know by itself.
type Conditions struct {
	// Request asks for a rotation with any text that differs from the last one
	// that was followed. Empty asks for nothing. A request that comes while a
	// rotation is under way is answered by that one.
	Request string
	// Injected says that every bundle that should hold [Keyring.Bundle] does. It
	// matters only while the keyring is [Keyring.Rotating].
	Injected bool
	// Overlap is how long Injected must have held before the next CA signs: as
	// long as the slowest client may go on using a bundle that has been
	// replaced.
	Overlap time.Duration
}

// Advance takes the one step that is due. The caller writes the new keyring's
// Data and asks again, until the step is [StepNone]: then, and on an error, the
// keyring is k itself. An interruption between any two steps, and between the
// pieces of one where they are written in the order of [KeyringPieces], is made
// good by the next Advance.
//
// A rotation begins when a tenth of the CA's life is left, or on request. It
// adds a next CA to the bundle; the next CA signs once [Conditions.Injected] has
// held for the overlap; the old one leaves the bundle when its last leaf has
// expired. So whoever holds the bundle, or held the one before within the
// overlap, trusts every leaf that may be served. Only a CA that has expired,
// which no client accepts any more, is replaced without waiting.
//
// The error is a [*PieceError].
func (k *Keyring) Advance(now time.Time, c Conditions) (*Keyring, Step, error) {
	n := k.clone()
	step, err := n.advance(now.UTC().Round(0), c)
	if err != nil || step == StepNone {
		return k, StepNone, err
	}
	return n, step, nil
}

func (k *Keyring) advance(now time.Time, c Conditions) (Step, error) {
	switch {
	case k.damage != damage{}:
		if k.damage.next {
			k.record.Handled = "" // what was begun is given up, so it may begin again
		}
		if k.damage.record {
			// Whether the request was followed is not known: it can be repeated,
			// but a rotation cannot be taken back.
			k.record.Handled = c.Request
		}
		k.damage = damage{}
		return StepRecovered, nil
	case k.signing == nil:
		k.record = record{Handled: c.Request}
		return StepCreated, renew(&k.signing, now)
	case k.signing.certificate == nil:
		return StepRecovered, k.signing.selfSign(now)
	case now.Before(k.signing.certificate.NotBefore):
		return StepNone, &PieceError{authorityCertificateFile,
			fmt.Errorf("it is not valid before %s; is the clock right?", date(k.signing.certificate.NotBefore))}
	case k.signing.expired(now):
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

// publish adds a next CA. One that is there already has not signed anything.
func (k *Keyring) publish(now time.Time, c Conditions) (Step, error) {
	k.follow(c)
	k.record.Injected = nil
	return StepPublished, renew(&k.next, now)
}

// rotate moves a rotation on that is under way.
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
	k.retired = append(k.retired, k.signing.certificate)
	k.retireAt(k.signing.certificate, lastLeafExpiry(now))
	k.signing, k.next = k.next, nil
	k.record.Injected = nil
}

// retire drops the CAs that no leaf needs any more, and reports whether it did.
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

// remember gives each CA that has no key here, whoever has added it, the time
// that its leaves may live, and forgets what is no longer there. It reports whether
// it did.
func (k *Keyring) remember(now time.Time) (changed bool) {
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

// lastLeafExpiry is when a CA's last leaf has expired if it signs no more from
// now on, with an hour for clients whose clock is behind.
func lastLeafExpiry(now time.Time) time.Time { return now.Add(leafValidity + backdate) }
