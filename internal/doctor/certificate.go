package doctor

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/certs/inject"
)

// checkCertificate looks at the serving certificate, and whether every caBundle trusts it.
func (d *doctor) checkCertificate(ctx context.Context, c *Check) {
	d.readCertificate(ctx, c)
	d.checkRenewable(ctx, c)
	if d.pair != nil {
		d.checkLeaf(c)
	}
	d.checkBundles(ctx, c)
}

// checkLeaf checks the name and the time of the certificate.
func (d *doctor) checkLeaf(c *Check) {
	leaf := d.pair.Leaf()
	c.Detail = "valid until " + leaf.NotAfter.UTC().Format(time.RFC3339)
	object := d.in("secret", d.manage.CertsSecret)
	name := d.Service.Name + "." + d.Service.Namespace + ".svc"
	if err := leaf.VerifyHostname(name); err != nil {
		c.find(Problem, object, fmt.Sprintf("the API server asks for %s: %v", name, err), d.renew())
	}
	// An issuer renews when a third is left.
	if life := leaf.NotAfter.Sub(leaf.NotBefore); leaf.NotAfter.Sub(d.time()) < life/10 {
		c.find(Problem, object, "the certificate has less than a tenth of its time left, so renewing it fails", d.renew())
	}
}

// readCertificate reads the Secret of the serving certificate. Its key is only compared with
// the certificate.
func (d *doctor) readCertificate(ctx context.Context, c *Check) {
	if d.manage.CertsSecret == "" {
		c.Detail = "in a folder of crosswalk serve: see conversion"
		return
	}
	secret := new(corev1.Secret)
	err := d.client.Get(ctx, client.ObjectKey{Namespace: d.Service.Namespace, Name: d.manage.CertsSecret}, secret)
	object := d.in("secret", d.manage.CertsSecret)
	switch {
	case apierrors.IsNotFound(err):
		c.find(Problem, object, "it does not exist: there is no serving certificate for replicas that start now", d.renew())
		return
	case err != nil:
		c.failed("the Secret of the serving certificate", err)
		return
	}
	if d.pair, err = certs.ParseSecret(secret.Data, d.time()); err != nil {
		c.find(Problem, object, fmt.Sprintf("clients do not accept the certificate: %v", err), d.renew())
	}
}

// renew returns the command for a certificate that is missing or wrong.
func (d *doctor) renew() string {
	switch {
	case d.manage.CertManagerCertificate != "":
		return fmt.Sprintf("kubectl -n %s describe certificate %s", d.Service.Namespace, d.manage.CertManagerCertificate)
	case d.manage.Authority != nil && d.down:
		return d.start(manageRole)
	case d.manage.Authority != nil:
		return fmt.Sprintf("kubectl -n %s events --for secret/%s", d.Service.Namespace, d.manage.CertsSecret)
	}
	return fmt.Sprintf("kubectl -n %s describe secret %s", d.Service.Namespace, d.manage.CertsSecret)
}

// checkRenewable reports what manage found about the authority. It writes the same to every
// Crosswalk.
func (d *doctor) checkRenewable(ctx context.Context, c *Check) {
	all, err := d.tables(ctx)
	if err != nil {
		return // see tables
	}
	for _, crosswalk := range all.crosswalks {
		if r := meta.FindStatusCondition(crosswalk.conditions, v1alpha1.ConditionRenewable); r != nil && r.Status == metav1.ConditionFalse {
			c.find(Problem, d.in("secret", d.manage.CertsSecret), r.Reason+": "+r.Message, d.renew())
			return
		}
	}
}

// checkBundles checks that the certificate is trusted with the caBundle of every CRD and of
// every webhook that names the Service.
func (d *doctor) checkBundles(ctx context.Context, c *Check) {
	n := 0
	check := func(object string, text []byte, command string) {
		n++
		bundle, err := inject.ParseBundle(text)
		if err == nil {
			err = bundle.CheckTime(d.time())
		}
		switch {
		case err != nil:
			c.find(Problem, object, fmt.Sprintf("the API server trusts nobody with its caBundle, so calls fail: %v", err), command)
		case d.pair != nil && d.pair.TrustedBy(text, d.time()) != nil:
			c.find(Problem, object, "the API server does not trust the serving certificate with its caBundle, so calls fail", command)
		}
	}
	all, err := d.tables(ctx)
	if err != nil {
		c.failed("CustomResourceDefinitions", err)
	}
	for _, crd := range all.named {
		check("customresourcedefinition "+crd.Name, crd.Spec.Conversion.Webhook.ClientConfig.CABundle, d.restore("kubectl describe crosswalk "+crd.Name))
	}
	configurations, err := d.configurations(ctx)
	if err != nil {
		c.failed("webhook configurations", err)
	}
	for _, configuration := range configurations {
		for _, w := range configuration.Ours() {
			if s := w.Client.Service; s != nil && s.Namespace == d.Service.Namespace && s.Name == d.Service.Name && len(w.Rules) > 0 {
				check(configuration.object(), w.Client.CABundle, d.restore("kubectl describe "+configuration.object()))
			}
		}
	}
	c.Detail = join(c.Detail, count(n, "caBundle"))
}

// restore returns the command for something that manage restores: it is started if it does not
// run, and otherwise the command shows what keeps it from doing so.
func (d *doctor) restore(otherwise string) string {
	if d.down {
		return d.start(manageRole)
	}
	return otherwise
}
