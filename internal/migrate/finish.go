package migrate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// mostTrims bounds how often trimming storedVersions is repeated because another client changed
// the CRD at the same moment.
const mostTrims = 5

// finish trims status.storedVersions after every object is stored in the storage version.
func (m *Migrator) finish(ctx context.Context, s *session) error {
	for range mostTrims {
		crd, err := m.crd(ctx, s.name)
		if err != nil {
			return err
		}
		if err := s.follow(crd); err != nil {
			return err
		}
		version := s.position.StorageVersion
		before := crd.Status.StoredVersions
		trimmed := slices.Equal(before, []string{version})
		switch {
		case trimmed && s.trimmed != nil:
			// An earlier try has done it, though its answer was lost.
		case trimmed:
			m.console.Report(s.name, "status.storedVersions is %s already", version)
		case m.options.DryRun:
			m.console.Report(s.name, "would trim status.storedVersions from %s to %s", strings.Join(before, ", "), version)
		default:
			s.trimmed = before
			// The resourceVersion makes the write a conflict if anything has changed since the
			// storage version was read.
			_, err := m.patchCRD(ctx, s.name, "status", map[string]any{
				"metadata": map[string]any{"resourceVersion": crd.ResourceVersion},
				"status":   map[string]any{"storedVersions": []string{version}},
			})
			if apierrors.IsConflict(err) {
				continue
			}
			if err != nil {
				return fmt.Errorf("trimming status.storedVersions: %w", err)
			}
		}
		if s.trimmed != nil {
			m.console.Report(s.name, "status.storedVersions is trimmed from %s to %s", strings.Join(s.trimmed, ", "), version)
		}
		m.removable(s, crd)
		s.kept = crd.Annotations[Annotation] != ""
		return nil
	}
	return errors.New("trimming status.storedVersions: other clients keep changing the CRD; run the same command again")
}

// removable prints the versions that nothing needs any more.
func (m *Migrator) removable(s *session, crd *apiextensionsv1.CustomResourceDefinition) {
	if m.options.DryRun {
		return
	}
	for _, v := range crd.Spec.Versions {
		if !slices.Contains(s.position.Versions, v.Name) {
			m.console.Report(s.name, "%s can be removed from spec.versions: it is not served, no object is stored in it, and none names it in managedFields", v.Name)
		}
	}
}

// forget removes the position, which is no longer needed.
func (m *Migrator) forget(ctx context.Context, s *session) error {
	if !s.kept || m.options.DryRun {
		return nil
	}
	if _, err := m.patchCRD(ctx, s.name, "", annotationPatch(s.position.UID, nil)); err != nil {
		return fmt.Errorf("all is done, but the annotation %s could not be removed: %w", Annotation, err)
	}
	return nil
}
