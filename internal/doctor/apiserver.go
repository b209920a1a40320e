package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
)

// checkAPIServer asks the API server for its version, and for Crosswalk's kinds.
func (d *doctor) checkAPIServer(ctx context.Context, c *Check) {
	release, err := d.release(ctx)
	if err != nil {
		c.skip(fmt.Sprintf("the API server at %s does not answer: %v", d.Config.Host, err))
		d.stopped = true
		return
	}
	c.Detail = fmt.Sprintf("Kubernetes %s at %s", release, d.Config.Host)
	for _, name := range []string{
		"crosswalks." + v1alpha1.GroupName,
		"validationpolicies." + v1alpha1.GroupName,
		"mutationpolicies." + v1alpha1.GroupName,
		cluster.CanaryCRD,
	} {
		crd := new(apiextensionsv1.CustomResourceDefinition)
		err := d.client.Get(ctx, client.ObjectKey{Name: name}, crd)
		switch {
		case apierrors.IsNotFound(err):
			c.find(Problem, "customresourcedefinition "+name, "it does not exist: Crosswalk is not installed, or not completely", reinstallBase)
			d.stopped = true
		case err != nil:
			c.failed("CustomResourceDefinitions", err)
		default:
			for _, condition := range crd.Status.Conditions {
				if condition.Type == apiextensionsv1.Established && condition.Status != apiextensionsv1.ConditionTrue {
					c.find(Problem, "customresourcedefinition "+name, "the API server does not serve it: "+condition.Message, "kubectl describe crd "+name)
				}
			}
		}
	}
}

// release returns the API server's release. It also notes how far the clock of the API server
// is ahead of ours.
func (d *doctor) release(ctx context.Context) (string, error) {
	httpClient, err := rest.HTTPClientFor(d.Config)
	if err != nil {
		return "", err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.http.Get().AbsPath("/version").URL().String(), nil)
	if err != nil {
		return "", err
	}
	response, err := httpClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("GET /version: %s", response.Status)
	}
	var info version.Info
	if err := json.NewDecoder(response.Body).Decode(&info); err != nil {
		return "", fmt.Errorf("GET /version: %w", err)
	}
	if theirs, err := http.ParseTime(response.Header.Get("Date")); err == nil {
		// The header has no fractions of a second.
		if ahead := theirs.Sub(d.Now()); ahead.Abs() > 2*time.Second {
			d.ahead = ahead
		}
	}
	return info.GitVersion, nil
}
