package reach

import (
	"context"
	"errors"
	"fmt"

	certmanagerv1 "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1"
	cmmeta "github.com/cert-manager/cert-manager/pkg/apis/meta/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/certs/inject"
)

// InjectCAFrom is cert-manager's annotation for cainjector: the Certificate whose CA it writes
// into an object, as NAMESPACE/NAME.
const InjectCAFrom = "cert-manager.io/inject-ca-from"

// Bundle returns the CA bundle with which serve is trusted, or an obstacle.
func (s *Serve) Bundle(ctx context.Context) (inject.Bundle, *Obstacle) {
	bundle, err := s.parseBundle()
	if err == nil {
		return bundle, nil
	}
	message := fmt.Sprintf("there is no CA bundle: %v", err)
	if reported := s.issuerSays(ctx); reported != "" {
		message += "; " + reported
	}
	return inject.Bundle{}, &Obstacle{"NoCertificate", message}
}

func (s *Serve) parseBundle() (inject.Bundle, error) {
	pair, err := s.Certs.Current()
	if err != nil {
		return inject.Bundle{}, err
	}
	if len(pair.CABundle) == 0 {
		return inject.Bundle{}, errors.New("the serving certificate comes without ca.crt; add it, because the API server trusts nothing else")
	}
	bundle, err := inject.ParseBundle(pair.CABundle)
	if err == nil {
		err = bundle.CheckTime(s.Now())
	}
	return bundle, err
}

// issuerSays returns what cert-manager reports about a Certificate that is not ready.
func (s *Serve) issuerSays(ctx context.Context) string {
	if s.CertManagerCertificate == "" {
		return ""
	}
	name := s.Service.Namespace + "/" + s.CertManagerCertificate
	certificate := new(certmanagerv1.Certificate)
	err := s.Live.Get(ctx, client.ObjectKey{Namespace: s.Service.Namespace, Name: s.CertManagerCertificate}, certificate)
	switch {
	case apierrors.IsNotFound(err):
		return fmt.Sprintf("there is no Certificate %s: apply deploy/overlays/cert-manager, and cert-manager before it", name)
	case err != nil:
		return fmt.Sprintf("the Certificate %s cannot be read: %v", name, err)
	}
	for _, c := range certificate.Status.Conditions {
		if c.Type == certmanagerv1.CertificateConditionReady {
			if c.Status == cmmeta.ConditionTrue {
				return ""
			}
			return fmt.Sprintf("cert-manager reports about the Certificate %s: %s", name, c.Message)
		}
	}
	return fmt.Sprintf("cert-manager has not handled the Certificate %s yet; check that it runs", name)
}
