package authority

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

// Reconcile implements [reconcile.Reconciler].
func (k *keeper) Reconcile(ctx context.Context, _ reconcile.Request) (reconcile.Result, error) {
	ring, err := k.keep(ctx)
	var broken *brokenError
	switch {
	case err == nil:
		k.expiry.set(ring.Expiry())
		k.State.Set(k.lost(ring))
		if k.problem.changed(nil) {
			k.Logger.Info("the authority is good again", "secret", k.path(k.Secret))
		}
	case ctx.Err() != nil:
		// The process is ending, which is not an error. The next one continues.
		return reconcile.Result{}, nil
	case errors.As(err, &broken):
		// Trying again does not help: a person must act.
		k.expiry.set(time.Time{})
		k.State.Set(&reach.Obstacle{Reason: "AuthorityUnusable", Message: err.Error()})
		if k.problem.changed(err) {
			k.Logger.Error("the authority cannot be used; what is served stays as it is", "error", err)
			k.warn(broken.at, "AuthorityUnusable", err.Error())
		}
	case apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err):
		// Another client was faster, and has probably done it.
		k.Logger.Debug("a Secret was changed meanwhile", "error", err)
		return reconcile.Result{RequeueAfter: retryRace}, nil
	default:
		if refusal := reach.Refused(err); refusal != nil {
			k.State.Set(refusal)
		}
		return reconcile.Result{}, err
	}
	if ring != nil && ring.Rotating() {
		return reconcile.Result{RequeueAfter: rotating}, nil
	}
	return reconcile.Result{RequeueAfter: interval}, nil
}

// lost returns an obstacle while no CA signs.
func (k *keeper) lost(ring *certs.Keyring) *reach.Obstacle {
	if !ring.Lost() {
		return nil
	}
	return &reach.Obstacle{Reason: "AuthorityLost", Message: fmt.Sprintf(
		"the key of the CA in the Secret %s is lost, so the serving certificate cannot be renewed; a next CA signs as soon as every caBundle has held it for %s; see kubectl -n %s events --for secret/%s",
		k.path(k.Secret), k.Overlap, k.Namespace, k.Secret)}
}

// keep does everything that is due now, and returns what the Secrets then hold.
func (k *keeper) keep(ctx context.Context) (*certs.Keyring, error) {
	// The authority is read last, so it is never older than the certificate that it has issued.
	serving, err := k.read(ctx, k.ServingSecret)
	if err != nil {
		return nil, err
	}
	authority, err := k.read(ctx, k.Secret)
	if err != nil {
		return nil, err
	}
	ring, err := k.advance(ctx, authority, serving)
	if err != nil {
		return nil, err
	}
	return ring, k.serve(ctx, ring, serving)
}

// advance takes every step that is due, and writes each before the next.
func (k *keeper) advance(ctx context.Context, authority, serving *corev1.Secret) (*certs.Keyring, error) {
	ring := certs.ParseKeyring(data(authority))
	cause := ring.Damage()
	if authority == nil {
		cause = errors.New("the Secret does not exist")
	}
	for {
		next, step, err := ring.Advance(k.Now(), certs.Conditions{
			Request:  request(authority),
			Injected: k.injected(ctx, ring, authority, serving),
			Overlap:  k.Overlap,
			Served:   data(serving),
		})
		switch {
		case errors.Is(err, certs.ErrForeign):
			return nil, k.foreign(serving)
		case err != nil:
			return nil, k.broken(authority, err)
		case step == certs.StepNone:
			return ring, nil
		}
		authority, err = k.write(ctx, authority, k.Secret, corev1.SecretTypeOpaque, certs.KeyringPieces(), next.Data())
		if err != nil {
			return nil, err
		}
		ring = next
		k.tell(ctx, authority, ring, step, cause)
		cause = nil
	}
}

// injected calls Options.Injected, but not before the bundle is in the Secret from which it is
// injected.
func (k *keeper) injected(ctx context.Context, ring *certs.Keyring, authority, serving *corev1.Secret) bool {
	if !ring.Rotating() {
		return true
	}
	if !bytes.Equal(data(serving)[corev1.ServiceAccountRootCAKey], ring.Bundle()) {
		return false
	}
	err := k.Injected(ctx, ring.Bundle())
	if k.waiting.changed(err) && err != nil {
		k.Logger.Info("the rotation waits for a caBundle", "secret", k.path(k.Secret), "reason", err.Error())
		k.normal(authority, "CAWaits", "the rotation waits for a caBundle: "+err.Error())
	}
	return err == nil
}

// serve brings the serving Secret up to date with the keyring.
func (k *keeper) serve(ctx context.Context, ring *certs.Keyring, serving *corev1.Secret) error {
	held := data(serving)
	pieces, why, err := ring.Serving(k.Now(), k.Names, held)
	if err != nil {
		return err
	}
	names := []string{corev1.TLSCertKey, corev1.TLSPrivateKeyKey, corev1.ServiceAccountRootCAKey}
	if same(names, held, pieces) {
		return nil
	}
	if serving, err = k.write(ctx, serving, k.ServingSecret, corev1.SecretTypeTLS, names, pieces); err != nil {
		return err
	}
	if why == "" {
		k.Logger.Info("published the bundle", "secret", k.path(k.ServingSecret))
		return nil
	}
	k.Logger.Info("issued a serving certificate", "secret", k.path(k.ServingSecret), "reason", why)
	k.normal(serving, "CertificateIssued", "issued a serving certificate: "+why)
	return nil
}

// request returns the request in the authority's Secret.
func request(authority *corev1.Secret) string {
	if authority == nil {
		return ""
	}
	return authority.Annotations[certs.AnnotationRotate]
}

// brokenError is an error that only a person can fix.
type brokenError struct {
	at  *corev1.Secret
	err error
}

func (e *brokenError) Error() string { return e.err.Error() }
func (e *brokenError) Unwrap() error { return e.err }

func (k *keeper) broken(authority *corev1.Secret, err error) error {
	return &brokenError{authority, fmt.Errorf("secret %s: %w", k.path(k.Secret), err)}
}

func (k *keeper) foreign(serving *corev1.Secret) error {
	path := k.path(k.ServingSecret)
	return &brokenError{serving, fmt.Errorf("secret %s: %w: stop what writes that Secret, such as a Certificate of cert-manager, and delete the Secret: a certificate of the built-in authority follows at once",
		path, certs.ErrForeign)}
}
