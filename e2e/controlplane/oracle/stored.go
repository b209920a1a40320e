package main

import (
	"context"
	"fmt"
	"io"
	"math/rand"

	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authentication/user"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	apitesting "k8s.io/kubernetes/pkg/api/testing"
)

// writeStored writes, for every kind of Kubernetes that can be written, objects at random
// and what the API server stores of them: a line with apiVersion, kind and the
// subresource, or - for none; the object that is there, or null; the one that is written;
// and the one that is stored.
func writeStored(out io.Writer, count int, seed int64) error {
	all := strategies()
	services, err := serviceStore()
	if err != nil {
		return err
	}
	for _, kind := range builtinKinds() {
		fill := fuzzer.FuzzerFor(fuzzer.MergeFuzzerFuncs(apitesting.FuzzerFuncs, ownFuncs), rand.NewSource(seed), legacyscheme.Codecs).NumElements(0, 3).NilChance(0.3)
		chance := rand.New(rand.NewSource(seed))
		h := holes{chance}
		object := func() ([]byte, error) {
			typed, err := legacyscheme.Scheme.New(kind)
			if err != nil {
				return nil, err
			}
			fill.Fill(typed)
			return h.sent(kind, typed)
		}
		for _, subresource := range []string{"", "status", "approval", "ephemeralcontainers", "finalize", "resize"} {
			strategy := all[target{kind.Group, kind.Kind, subresource}]
			for range count {
				if strategy == nil {
					break
				}
				old, err := object()
				if err != nil {
					return err
				}
				sent := old
				switch chance.Intn(3) {
				case 0:
					if sent, err = object(); err != nil {
						return err
					}
				case 1:
					if sent, err = h.less(old); err != nil {
						return err
					}
				}
				if _, creates := strategy.(rest.RESTCreateStrategy); creates && subresource == "" && chance.Intn(3) == 0 {
					old = nil
				}
				prepare := preparing(strategy)
				if kind.Kind == "Service" && subresource == "" {
					prepare = prepareService(services)
				}
				if err := writeOne(out, kind, subresource, old, sent, prepare, strategy.Canonicalize); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// preparing asks a strategy what an object becomes.
func preparing(strategy rest.RESTUpdateStrategy) prepare {
	return func(ctx context.Context, object, old runtime.Object) error {
		if old == nil {
			strategy.(rest.RESTCreateStrategy).PrepareForCreate(ctx, object)
			return nil
		}
		object.(metav1.Object).SetGeneration(old.(metav1.Object).GetGeneration())
		strategy.PrepareForUpdate(ctx, object, old)
		return nil
	}
}

// prepare makes of an object what is stored. An error says that it is refused.
type prepare func(ctx context.Context, object, old runtime.Object) error

// requestFor is what strategies know of a request.
func requestFor(kind schema.GroupVersionKind) context.Context {
	ctx := genericapirequest.WithUser(context.Background(), &user.DefaultInfo{Name: "jane", UID: "1", Groups: []string{"devs"}, Extra: map[string][]string{"scopes": {"a", "b"}}})
	return genericapirequest.WithRequestInfo(ctx, &genericapirequest.RequestInfo{APIGroup: kind.Group, APIVersion: kind.Version})
}

func writeOne(out io.Writer, kind schema.GroupVersionKind, subresource string, old, sent []byte, prepare prepare, canonicalize func(runtime.Object)) error {
	object, err := internalOf(kind, sent)
	if err != nil {
		return nil // refused: chance makes selectors that are none
	}
	shown, err := external(kind, object)
	if err != nil {
		return err
	}
	var before runtime.Object
	there := []byte("null")
	if old != nil {
		if before, err = internalOf(kind, old); err != nil {
			return nil
		}
		// A Service that is there has been given what it needs.
		if kind.Kind == "Service" && subresource == "" && prepare(requestFor(kind), before, nil) != nil {
			return nil
		}
		if there, err = external(kind, before); err != nil {
			return err
		}
	}
	if err := prepare(requestFor(kind), object, before); err != nil {
		return nil
	}
	canonicalize(object)
	stored, err := external(kind, object)
	if err != nil {
		return err
	}
	if subresource == "" {
		subresource = "-"
	}
	_, err = fmt.Fprintf(out, "%s %s %s\n%s\n%s\n%s\n", kind.GroupVersion(), kind.Kind, subresource, there, shown, stored)
	return err
}
