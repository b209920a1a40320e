package guard

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/crosswalk-dev/crosswalk/e2e/harness"
	"github.com/crosswalk-dev/crosswalk/e2e/internal/stage"
)

// legacyHostPort is a value that v1 cannot show.
const legacyHostPort = "localhost"

// startScene starts a scene in which each CRD has an object of the time before
// Crosswalk, but for those of more.
func startScene(t *testing.T, programs harness.Programs, tables []harness.Table, more ...harness.Table) *harness.Scene {
	t.Helper()
	return stage.StartWith(t, programs, harness.SceneOptions{
		Prepare: func(ctx context.Context, plane *harness.ControlPlane) error {
			for _, table := range tables {
				if err := makeLegacy(ctx, plane, table); err != nil {
					return err
				}
			}
			return nil
		},
	}, slices.Concat(tables, more)...)
}

// makeLegacy creates the CRD, with v1beta1 stored, and the object, and then the CRD
// as it is.
func makeLegacy(ctx context.Context, plane *harness.ControlPlane, table harness.Table) error {
	before, err := table.InGroup(table.CRD.Spec.Group, "v1beta1")
	if err != nil {
		return err
	}
	api, err := plane.API()
	if err != nil {
		return err
	}
	text, err := json.Marshal(before.CRD)
	if err != nil {
		return err
	}
	if _, err := api.Do(ctx, http.MethodPost, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", harness.JSONType, text); err != nil {
		return err
	}
	beta := harness.Resource{API: api, Group: table.CRD.Spec.Group, Version: "v1beta1", Plural: "crontabs", Namespace: "default"}
	legacy := kind{}.object(beta, "legacy", `,"finalizers":["example.com/cleanup"]`, `"hostPort":"`+legacyHostPort+`"`)
	for {
		if _, err = beta.Create(ctx, legacy); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(50 * time.Millisecond): // the CRD may not be served yet
		}
	}
}
