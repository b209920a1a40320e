package webhook

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/crosswalk-dev/crosswalk/validation"
)

// Reviewers holds the reviewers of writes, by name. A request uses the same reviewer from
// beginning to end. Reviewers is safe for concurrent use.
type Reviewers struct {
	metrics *Metrics
	names   *regexp.Regexp
	mu      sync.Mutex // serialises Replace
	current atomic.Pointer[reviewerSets]
}

// phase is one of the API server's two phases of admission. Each has its own names.
type phase int

const (
	validating phase = iota
	mutating
	phases
)

func (p phase) String() string {
	if p == mutating {
		return "mutate"
	}
	return "validate"
}

// reviewerSets maps names to reviewers. It is immutable.
type reviewerSets [phases]map[string]*namedReviewer

type namedReviewer struct {
	validation.Reviewer
	phase    phase
	name     string
	counters *reviewerCounters
}

func (r *namedReviewer) String() string { return r.phase.String() + "/" + r.name }

// NewReviewers returns Reviewers without any reviewer. They report to metrics, if that is not
// nil.
func NewReviewers(metrics *Metrics) *Reviewers {
	if metrics == nil {
		metrics = NewMetrics(nil)
	}
	return &Reviewers{metrics: metrics, names: regexp.MustCompile(`^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$`)}
}

// Replace makes these the reviewers of /validate/{name} and /mutate/{name}, and removes all
// others. The members of a [validation.Collection] are at /validate/{name}/{member}/{member}...
// If a validating reviewer changes the object, the change is ignored. Replace fails and changes
// nothing if a name cannot be part of a path or its reviewer is nil.
func (s *Reviewers) Replace(validators, mutators map[string]validation.Reviewer) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := new(reviewerSets)
	for p, reviewers := range [phases]map[string]validation.Reviewer{validating: validators, mutating: mutators} {
		next[p] = make(map[string]*namedReviewer, len(reviewers))
		for name, reviewer := range reviewers {
			switch {
			case !s.names.MatchString(name):
				return fmt.Errorf("the name %.64q of a reviewer cannot be part of a path; use lower-case letters, digits, dashes and dots", name)
			case reviewer == nil:
				return fmt.Errorf("the reviewer %s/%s is nil", phase(p), name)
			}
			next[p][name] = &namedReviewer{reviewer, phase(p), name, s.metrics.forReviewer(phase(p), name)}
		}
	}
	if last := s.current.Swap(next); last != nil {
		s.metrics.forgetReviewers(last, next)
	}
	return nil
}

// Check is the readiness check named "reviewers": it fails until Replace has been
// called once.
func (s *Reviewers) Check() error {
	if s.current.Load() == nil {
		return errors.New("no reviewers are loaded yet")
	}
	return nil
}

// find returns the reviewer for a path: its name, and for a collection the names of its
// members. It fails with an *httpError if no reviewer has that name. The status makes the API
// server try again, because a replica may not know the name yet, and any other answer would be
// final.
func (s *Reviewers) find(p phase, path string) (*namedReviewer, error) {
	name, members, some := strings.Cut(path, "/")
	sets := s.current.Load()
	if sets == nil || sets[p][name] == nil {
		return nil, notLoaded(fmt.Sprintf("no reviewer named %.253s is loaded yet to %s", name, p))
	}
	r := sets[p][name]
	if !some {
		return r, nil
	}
	collection, is := r.Reviewer.(validation.Collection)
	if !is {
		return nil, &httpError{status: http.StatusNotFound, sentence: fmt.Sprintf("%v has no members, so the path ends with its name", r)}
	}
	only := *r
	only.Reviewer = collection.Only(strings.Split(members, "/"))
	return &only, nil
}

// probed returns the reviewer for a request that the API server never makes. `crosswalk manage`
// uses it to find out whether a replica has received a change: the query has the fingerprint of
// the one member of a collection that the path names. probed fails, as find does, if the member
// is not there in that form. Otherwise an audit annotation of the answer lists the rights that
// the member lacks in the cluster.
func (s *Reviewers) probed(r *namedReviewer, p phase, path, query string) (*namedReviewer, error) {
	if !strings.Contains(query, fingerprintParameter) {
		return r, nil
	}
	values, err := url.ParseQuery(query)
	if err != nil || !values.Has(fingerprintParameter) {
		return r, nil // not a query of ours
	}
	want := values.Get(fingerprintParameter)
	name, member, _ := strings.Cut(path, "/")
	if sets := s.current.Load(); sets != nil && sets[p][name] != nil {
		if collection, is := sets[p][name].Reviewer.(validation.Collection); is {
			if got, found := collection.Fingerprint(member); found && got == want {
				return r.withRights(collection, member), nil
			}
		}
	}
	return nil, notLoaded(fmt.Sprintf("no reviewer named %.253s with the fingerprint %.64s is loaded yet to %s", path, want, p))
}

const fingerprintParameter = "fingerprint"

func (r *namedReviewer) withRights(collection validation.Collection, member string) *namedReviewer {
	probed := *r
	probed.Reviewer = validation.ReviewerFunc(func(ctx context.Context, request *admissionv1.AdmissionRequest) (*validation.Verdict, error) {
		verdict, err := r.Review(ctx, request)
		if err != nil {
			return nil, err
		}
		if verdict == nil {
			verdict = new(validation.Verdict)
		}
		if lacks, err := collection.Lacks(ctx, member); err == nil {
			verdict.AuditAnnotations = map[string]string{validation.LacksAnnotation: strings.Join(lacks, ",")}
		}
		return verdict, nil
	})
	return &probed
}
