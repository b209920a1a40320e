package certificates

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// crd is the CRD of a name among the injectables.
func crd(name string) injectable {
	i := injectables[0]
	i.name = name
	return i
}

// crdState is what certificates are about in one state of a CRD.
type crdState struct {
	resourceVersion, strategy, path, annotation string
	bundle                                      []byte
	managers                                    []string // of the bundle
}

func (s crdState) String() string {
	all, err := parse(s.bundle)
	return fmt.Sprintf("%s: strategy %s, path %s, inject-ca-from %q, bundle of %d (%v) by %q",
		s.resourceVersion, s.strategy, s.path, s.annotation, len(all), err, s.managers)
}

// history is every state that a CRD had since it began.
type history struct {
	mu     sync.Mutex
	states []crdState
	err    error
	news   chan struct{}
}

// watchCRD records a CRD, which may not be there yet, until the test ends.
func (c cluster) watchCRD(t *testing.T, name string) *history {
	t.Helper()
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	watch, err := c.api.Watch(ctx, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?watch=true&timeoutSeconds=900&fieldSelector=metadata.name="+name)
	if err != nil {
		stop()
		t.Fatal(err)
	}
	h := &history{news: make(chan struct{}, 1)}
	var done sync.WaitGroup
	done.Go(func() {
		defer watch.Close()
		for {
			event, err := watch.Next()
			if ctx.Err() != nil {
				return
			}
			h.add(event.Object, err)
			if err != nil {
				return
			}
		}
	})
	t.Cleanup(func() {
		stop()
		done.Wait()
		if t.Failed() {
			t.Logf("what %s was:\n%s", name, h)
		}
	})
	return h
}

func (h *history) add(object []byte, err error) {
	var read struct {
		Metadata struct {
			ResourceVersion string
			Annotations     map[string]string
			ManagedFields   []struct {
				Manager  string
				FieldsV1 json.RawMessage
			}
		}
		Spec struct {
			Conversion struct {
				Strategy string
				Webhook  struct {
					ClientConfig struct {
						CABundle []byte
						Service  struct{ Path string }
					}
				}
			}
		}
	}
	if err == nil {
		err = json.Unmarshal(object, &read)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.err = err; err != nil {
		return
	}
	config := read.Spec.Conversion.Webhook.ClientConfig
	s := crdState{
		resourceVersion: read.Metadata.ResourceVersion, strategy: read.Spec.Conversion.Strategy,
		path: config.Service.Path, annotation: read.Metadata.Annotations[injectAnnotation], bundle: config.CABundle,
	}
	for _, m := range read.Metadata.ManagedFields {
		if strings.Contains(string(m.FieldsV1), `"f:caBundle"`) {
			s.managers = append(s.managers, m.Manager)
		}
	}
	h.states = append(h.states, s)
	select {
	case h.news <- struct{}{}:
	default:
	}
}

// all returns the states until now.
func (h *history) all(t *testing.T) []crdState {
	t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.err != nil {
		t.Fatal(h.err)
	}
	return slices.Clone(h.states)
}

// bundle is the CRD's as it was heard of last.
func (h *history) bundle() ([]byte, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.err != nil || len(h.states) == 0 {
		return nil, h.err
	}
	return h.states[len(h.states)-1].bundle, nil
}

// armed returns the states from the first on that names a webhook. It waits for
// that one.
func (h *history) armed(t *testing.T) []crdState {
	t.Helper()
	for late := time.After(time.Minute); ; {
		states := h.all(t)
		if i := slices.IndexFunc(states, func(s crdState) bool { return s.strategy == "Webhook" }); i >= 0 {
			return states[i:]
		}
		select {
		case <-h.news:
		case <-late:
			t.Fatal("the CRD is not armed")
		}
	}
}

// settled returns all states once none has come for a while: long enough for two
// that disagree to have answered each other.
func (h *history) settled(t *testing.T) []crdState {
	t.Helper()
	const (
		quiet = 3 * time.Second
		most  = 30 * time.Second
	)
	for late := time.After(most); ; {
		select {
		case <-h.news:
		case <-time.After(quiet):
			return h.all(t)
		case <-late:
			t.Fatalf("the CRD goes on changing after %s:\n%s", most, h)
		}
	}
}

func (h *history) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var lines []string
	for _, s := range h.states {
		lines = append(lines, s.String())
	}
	return strings.Join(lines, "\n")
}
