package migrate

import (
	"context"
	"errors"
	"fmt"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/internal/bulk"
)

// saveInterval is how often the position is saved, which costs a write of the CRD.
const saveInterval = 10 * time.Second

// Reasons why a pass ends early.
var (
	errStopped = errors.New("stopped")
	errTripped = errors.New("objects fail one after another")
)

// pass rewrites all objects from the position on.
func (m *Migrator) pass(ctx context.Context, t *target, s *session) error {
	if err := m.passFailed(ctx, t, s); err != nil {
		return err
	}
	at := bulk.Cursor{Token: s.position.Continue, After: s.position.After, Listed: s.position.Listed}
	saved := m.options.Now()
	for !at.Listed {
		next, err := t.list.Next(ctx, m.options.PageSize, &at)
		if err != nil {
			if bulk.Classify(err) == bulk.Stopped {
				return errStopped
			}
			return fmt.Errorf("listing the objects: %w", err)
		}
		objects := t.objects(next.Items)
		s.progress.Expect(int64(len(objects)) + next.Remaining)
		if !s.full {
			s.position.Continue = at.Token
		}
		complete := s.settle(objects, m.batch(ctx, t, s, objects))
		if err := early(s, complete); err != nil {
			return err
		}
		t.list.Pass(&at, next)
		if !s.full {
			s.position.Continue, s.position.Listed = at.Token, at.Listed
		}
		if now := m.options.Now(); now.Sub(saved) >= saveInterval {
			saved = now
			if err := m.save(ctx, s); err != nil {
				return err
			}
		}
	}
	return nil
}

// passFailed tries the objects again that failed in an earlier run.
func (m *Migrator) passFailed(ctx context.Context, t *target, s *session) error {
	if len(s.position.Failed) == 0 {
		return nil
	}
	var objects []object
	for _, key := range s.position.Failed {
		objects = append(objects, objectOf(key))
	}
	outcomes := m.batch(ctx, t, s, objects)
	s.settleFailed(objects, outcomes)
	complete := true
	for _, got := range outcomes {
		complete = complete && got.result != untouched
	}
	return early(s, complete)
}

func early(s *session, complete bool) error {
	switch {
	case s.tripped.Load():
		return errTripped
	case !complete:
		return errStopped
	}
	return nil
}

// save writes the position to the CRD's annotation, and checks how the CRD has changed.
func (m *Migrator) save(ctx context.Context, s *session) error {
	crd := new(apiextensionsv1.CustomResourceDefinition)
	var err error
	if m.options.DryRun {
		crd, err = m.crd(ctx, s.name)
	} else {
		var patch any
		if patch, err = s.position.patch(); err != nil {
			return err
		}
		crd, err = m.patchCRD(ctx, s.name, "", patch)
	}
	if err != nil {
		if bulk.Classify(err) == bulk.Stopped {
			return errStopped
		}
		return &unsavedError{err}
	}
	return s.follow(crd)
}

// unsavedError means that the position could not be saved.
type unsavedError struct{ err error }

func (e *unsavedError) Error() string {
	return "the position could not be saved in the CRD: " + e.err.Error()
}
func (e *unsavedError) Unwrap() error { return e.err }
