package migrate

import (
	"sync/atomic"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/internal/bulk"
)

// minInARow is how many objects in a row may fail because a server does not answer, each after
// all its retries, before the run gives up.
const minInARow = 5

// session is the state of one run for one CRD.
type session struct {
	name string
	via  string // the version that is written
	// position is what has been achieved; saved is the content of the CRD's annotation.
	position position
	// full reports that no more failures fit into the position, so that it cannot advance.
	full bool

	earlier   counts // of earlier runs
	progress  bulk.Progress
	succeeded atomic.Int64
	inARow    atomic.Int64 // failures of a server or a webhook without a success in between
	tripped   atomic.Bool
	lastError error    // why it tripped; valid after the batch has ended
	done      counts   // of this run
	trimmed   []string // storedVersions before they were trimmed
	kept      bool     // the CRD has our annotation
}

// failed returns how many objects could not be rewritten.
func (s *session) failed() int64 {
	_, failed := s.progress.Handled()
	return failed
}

// all returns the results of all runs together.
func (s *session) all() counts {
	return counts{
		Rewritten: s.earlier.Rewritten + s.done.Rewritten,
		Already:   s.earlier.Already + s.done.Already,
		Gone:      s.earlier.Gone + s.done.Gone,
		Unplaced:  s.earlier.Unplaced + s.done.Unplaced,
	}
}

// follow checks that the work is still valid for the current CRD.
func (s *session) follow(crd *apiextensionsv1.CustomResourceDefinition) error {
	if err := s.position.follow(crd); err != nil {
		return err
	}
	return converted(crd, s.via)
}

// settle adds the outcomes of a page to the position, up to the first object whose turn did not
// come.
func (s *session) settle(objects []object, outcomes []outcome) (complete bool) {
	for i, got := range outcomes {
		if got.result == untouched {
			s.count(outcomes[i:])
			return false
		}
		s.done.add(got)
		if got.result == failed && !s.full {
			if len(s.position.Failed) == mostFailed {
				s.full = true
			} else {
				s.position.Failed = append(s.position.Failed, objects[i].key())
			}
		}
		if !s.full {
			s.position.After = objects[i].key()
			s.position.add(got)
		}
	}
	return true
}

// count counts the outcomes beyond the position.
func (s *session) count(outcomes []outcome) {
	for _, got := range outcomes {
		s.done.add(got)
	}
}

// settleFailed adds the outcomes of objects that had failed before.
func (s *session) settleFailed(objects []object, outcomes []outcome) {
	s.position.Failed = nil
	for i, got := range outcomes {
		s.done.add(got)
		s.position.add(got)
		if got.result == failed || got.result == untouched {
			s.position.Failed = append(s.position.Failed, objects[i].key())
		}
	}
}
