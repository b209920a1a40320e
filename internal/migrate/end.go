package migrate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crosswalk-dev/crosswalk/internal/bulk"
)

// lastSave is how long a stopped run may take to save its position.
const lastSave = 20 * time.Second

// end reports how a pass ended, and does the last steps.
func (m *Migrator) end(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition, s *session, err error) error {
	var unsure *unsureError
	var changed *storageChangedError
	var unconverted *unconvertedError
	switch {
	case errors.As(err, &unsure):
		return err
	case errors.As(err, &unconverted):
		return fmt.Errorf("gave up after %s, and nothing is trimmed: the conversion was removed meanwhile, so check the objects that were written last: %w", s.progress.Reached(), err)
	case errors.As(err, &changed):
		return fmt.Errorf("%w while objects were rewritten, so nothing is trimmed: run it again to rewrite all of them to %s", err, changed.to)
	case err != nil:
		return m.interrupted(ctx, crd, s, err)
	}
	m.tell(s)
	m.tellUnplaced(s)
	if s.failed() > 0 {
		return m.failed(ctx, crd, s)
	}
	if err := m.finish(ctx, s); err != nil {
		return m.end(ctx, crd, s, err)
	}
	return m.forget(ctx, s)
}

// interrupted saves the position and prints how to continue.
func (m *Migrator) interrupted(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition, s *session, err error) error {
	at := s.progress.Reached()
	const lost = "; run the same command again to continue from the last saved position"
	var unsaved *unsavedError
	switch {
	case errors.As(err, &unsaved):
		return fmt.Errorf("gave up after %s: %w%s", at, err, lost)
	case errors.Is(err, errTripped):
		err = fmt.Errorf("gave up after %s, because objects failed one after another, the last with: %w", at, explain(crd, s.lastError))
	case errors.Is(err, errStopped), errors.Is(err, context.Canceled):
		err = fmt.Errorf("stopped after %s", at)
	default:
		err = fmt.Errorf("gave up after %s: %w", at, explain(crd, err))
	}
	if m.options.DryRun {
		return err
	}
	saving, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastSave)
	defer cancel()
	if saveErr := m.save(saving, s); saveErr != nil {
		return fmt.Errorf("%w; %w%s", err, saveErr, lost)
	}
	return fmt.Errorf("%w; run the same command again to continue from there", err)
}

// failed prints what to do about objects that could not be rewritten.
func (m *Migrator) failed(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition, s *session) error {
	failures := s.failed()
	if m.options.DryRun {
		return fmt.Errorf("%s would fail, so status.storedVersions would stay %s: fix the errors above first",
			bulk.Objects(failures), strings.Join(crd.Status.StoredVersions, ", "))
	}
	next := "it tries only these objects again"
	if s.full {
		next = "it continues from the first object that did not fit into its notes"
	}
	err := fmt.Errorf("%s could not be rewritten, so status.storedVersions stays %s: fix the errors above and run the same command again; %s",
		bulk.Objects(failures), strings.Join(crd.Status.StoredVersions, ", "), next)
	saving, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastSave)
	defer cancel()
	if saveErr := m.save(saving, s); saveErr != nil {
		return fmt.Errorf("%w; %w", err, saveErr)
	}
	return err
}

// tell prints the result for the objects.
func (m *Migrator) tell(s *session) {
	all := s.all()
	if m.options.DryRun {
		m.console.Report(s.name, "would rewrite %s to %s, except those that are already stored in it", bulk.Objects(all.Already+all.Rewritten), s.position.StorageVersion)
		return
	}
	m.console.Report(s.name, "%s stored in %s: %d rewritten, %d already stored in it; %d deleted meanwhile, %d failed",
		are(all.Already+all.Rewritten), s.position.StorageVersion, all.Rewritten, all.Already, all.Gone, s.failed())
}

// tellUnplaced prints how many objects have values that this table cannot show.
func (m *Migrator) tellUnplaced(s *session) {
	const of = "values of an earlier table, for which this one has no place; they stay in the annotations, and crosswalk audit lists them"
	switch n := s.all().Unplaced; n {
	case 0:
	case 1:
		m.console.Report(s.name, "1 object has "+of)
	default:
		m.console.Report(s.name, "%d objects have "+of, n)
	}
}

func are(n int64) string {
	if n == 1 {
		return "1 object is"
	}
	return fmt.Sprintf("%d objects are", n)
}
