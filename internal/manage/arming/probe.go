package arming

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crosswalk-dev/crosswalk/certs/inject"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

// probe sends serve the same requests as the API server, and compares each answer with the
// result of the same table in this process.
type probe struct {
	client *http.Client
	path   string
	table  cluster.Converter
	// unplaced is set if a server has lately found no place for a value that is stored.
	unplaced *bool
}

// lately is how long a conversion is reported that found no place for a value.
const lately = time.Hour

// probe returns a probe that trusts only this bundle.
func (r *reconciler) probe(table cluster.Converter, bundle inject.Bundle, unplaced *bool) probe {
	return probe{
		client: r.Serve.Client(bundle),
		// A build in which a function of the table has another revision also answers on the
		// path of the table.
		path:     cluster.ConvertPath(table.Fingerprint()) + "?" + cluster.CompiledParameter + "=" + table.Compiled(),
		table:    table,
		unplaced: unplaced,
	}
}

// try asks the server at an address for every pair of versions, through a new connection.
func (p probe) try(ctx context.Context, address string) error {
	// A new try must not use an old connection.
	defer p.client.CloseIdleConnections()
	for _, to := range p.table.Versions() {
		var objects [][]byte
		for _, from := range p.table.Versions() {
			if from != to {
				objects = append(objects, p.sample(from))
			}
		}
		if len(objects) == 0 {
			objects = append(objects, p.sample(to)) // for a CRD with one version
		}
		if err := p.ask(ctx, address, to, objects); err != nil {
			return err
		}
	}
	return nil
}

// sample returns an object that every table must be able to convert.
func (p probe) sample(version string) []byte {
	return fmt.Appendf(nil, `{"apiVersion":%q,"kind":%q,"metadata":{"name":"crosswalk-probe"}}`, p.table.Group()+"/"+version, p.table.Kind())
}

func (p probe) ask(ctx context.Context, address, to string, objects [][]byte) error {
	review := apiextensionsv1.ConversionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: apiextensionsv1.SchemeGroupVersion.String(), Kind: "ConversionReview"},
		Request:  &apiextensionsv1.ConversionRequest{UID: "crosswalk-probe", DesiredAPIVersion: p.table.Group() + "/" + to},
	}
	for _, object := range objects {
		review.Request.Objects = append(review.Request.Objects, runtime.RawExtension{Raw: object})
	}
	answer := new(apiextensionsv1.ConversionReview)
	header, err := reach.Post(ctx, p.client, "https://"+address+p.path, review.Kind, review, answer)
	if err != nil {
		return p.withFunctions(err)
	}
	if ago, err := strconv.Atoi(header.Get(cluster.UnplacedHeader)); err == nil && time.Duration(ago)*time.Second < lately {
		*p.unplaced = true
	}
	switch response := answer.Response; {
	case response == nil || response.UID != review.Request.UID:
		return errors.New("the server is not a conversion webhook: its review has no response with our uid")
	case response.Result.Status != metav1.StatusSuccess:
		return fmt.Errorf("it failed to convert: %s", response.Result.Message)
	case len(response.ConvertedObjects) != len(objects):
		return fmt.Errorf("it returned %d objects instead of %d", len(response.ConvertedObjects), len(objects))
	default:
		return p.compare(objects, to, response.ConvertedObjects)
	}
}

// withFunctions adds the Go functions that a replica may lack if it answers, but not for the
// table.
func (p probe) withFunctions(err error) error {
	names := slices.Sorted(maps.Keys(p.table.Functions()))
	if len(names) == 0 || reach.Unanswered(err) {
		return err
	}
	return fmt.Errorf("%w; the table calls Go functions, %s: is this replica a build that has them?", err, strings.Join(names, ", "))
}

func (p probe) compare(objects [][]byte, to string, converted []runtime.RawExtension) error {
	for i, object := range objects {
		want, err := p.table.Convert(nil, object, to)
		if err != nil {
			return err
		}
		var a, b any
		if json.Unmarshal(want, &a) != nil || json.Unmarshal(converted[i].Raw, &b) != nil || !reflect.DeepEqual(a, b) {
			return fmt.Errorf("it converts %s to %s, but with the same table this process converts it to %s; is the replica of another release?", object, converted[i].Raw, want)
		}
	}
	return nil
}
