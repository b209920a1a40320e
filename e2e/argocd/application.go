package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/argoproj/argo-cd/gitops-engine/pkg/cache"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/diff"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/health"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/sync"
	synccommon "github.com/argoproj/argo-cd/gitops-engine/pkg/sync/common"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/kube"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/tracing"
	"github.com/argoproj/argo-cd/v3/common"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	argodiff "github.com/argoproj/argo-cd/v3/util/argo/diff"
	"github.com/argoproj/argo-cd/v3/util/argo/normalizers"
	argokube "github.com/argoproj/argo-cd/v3/util/kube"
	"github.com/argoproj/argo-cd/v3/util/lua"
	"github.com/argoproj/argo-cd/v3/util/settings"
	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// destination is the namespace of objects that name none.
const destination = "default"

// options are those of an Application.
type options struct{ serverSideApply, serverSideDiff bool }

// application is one Application with what it needs of the cluster.
type application struct {
	options
	config    *rest.Config
	cache     cache.ClusterCache
	overrides map[string]v1alpha1.ResourceOverride // from argocd-cm
	compared  settings.ArgoCDDiffOptions
	manifests []*unstructured.Unstructured
}

// object is what is said of one manifest.
type object struct {
	Kind      string `json:"kind"`
	Name      string `json:"name"`
	Synced    bool   `json:"synced"`
	Health    string `json:"health,omitempty"` // empty where Argo CD has no check
	Message   string `json:"message,omitempty"`
	Live      string `json:"live,omitempty"`      // as it is, and
	Predicted string `json:"predicted,omitempty"` // as it would be; both only where they differ
}

func open(ctx context.Context, kubeconfig string, o options, manifests io.Reader) (*application, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	config.QPS, config.Burst = 1000, 1000 // of a control plane that nobody else asks
	text, err := io.ReadAll(manifests)
	if err != nil {
		return nil, err
	}
	a := &application{options: o, config: config}
	if a.manifests, err = kube.SplitYAML(text); err != nil {
		return nil, err
	}
	clients, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	manager := settings.NewSettingsManager(ctx, clients, "argocd")
	if a.overrides, err = manager.GetResourceOverrides(); err != nil {
		return nil, err
	}
	if a.compared, err = manager.GetResourceCompareOptions(); err != nil {
		return nil, err
	}
	a.cache = cache.NewClusterCache(config, cache.SetLogr(logr.Discard()),
		cache.SetPopulateResourceInfoHandler(func(*unstructured.Unstructured, bool) (any, bool) { return nil, true }))
	return a, a.cache.EnsureSynced()
}

// sync applies the manifests. As the application controller does, it looks at the cluster
// anew for each step. It is an error, which says why, if one is refused or does not become
// healthy in time.
func (a *application) sync(ctx context.Context) ([]object, error) {
	var (
		phase    synccommon.OperationPhase
		message  string
		results  []synccommon.ResourceSyncResult
		started  = metav1.Now()
		overdue  error
		interval = time.NewTicker(100 * time.Millisecond)
	)
	defer interval.Stop()
	for !phase.Completed() && overdue == nil {
		found, err := a.reconcile()
		if err != nil {
			return nil, err
		}
		step, done, err := sync.NewSyncContext("revision", found, a.config, a.config, &kube.KubectlCmd{Log: logr.Discard(), Tracer: tracing.NopTracer{}}, destination,
			sync.WithLogr(logr.Discard()),
			sync.WithHealthOverride(lua.ResourceHealthOverrides(a.overrides)),
			sync.WithInitialState(phase, message, results, started),
			sync.WithManifestValidation(true),
			sync.WithServerSideApply(a.serverSideApply),
			sync.WithServerSideApplyManager(common.ArgoCDSSAManager),
		)
		if err != nil {
			return nil, err
		}
		step.Sync()
		phase, message, results = step.GetState()
		done()
		select {
		case <-ctx.Done():
			overdue = ctx.Err()
		case <-interval.C:
		}
	}
	var objects []object
	failures := []error{fmt.Errorf("%s: %s", phase, message), overdue}
	for _, r := range results {
		o := object{Kind: r.ResourceKey.Kind, Name: r.ResourceKey.Name, Synced: r.Status == synccommon.ResultCodeSynced, Message: r.Message}
		objects = append(objects, o)
		if !o.Synced {
			failures = append(failures, fmt.Errorf("%s %s: %s", o.Kind, o.Name, o.Message))
		}
	}
	if phase != synccommon.OperationSucceeded {
		return objects, errors.Join(failures...)
	}
	return objects, nil
}

// reconcile pairs the manifests with what is there.
func (a *application) reconcile() (sync.ReconciliationResult, error) {
	live, err := a.cache.GetManagedLiveObjs(a.manifests, a.manages)
	if err != nil {
		return sync.ReconciliationResult{}, err
	}
	return sync.Reconcile(a.manifests, live, destination, a.cache), nil
}

// manages reports whether a live object is one of the manifests'.
func (a *application) manages(r *cache.Resource) bool {
	for _, m := range a.manifests {
		key := kube.GetResourceKey(m)
		if key.Namespace == "" {
			key.Namespace = r.Ref.Namespace // cluster-scoped, or of the destination
		}
		if key == r.ResourceKey() {
			return true
		}
	}
	return false
}

// compare compares the manifests with what is there.
func (a *application) compare(context.Context) ([]object, error) {
	found, err := a.reconcile()
	if err != nil {
		return nil, err
	}
	config := argodiff.NewDiffConfigBuilder().
		WithDiffSettings(nil, a.overrides, a.compared.IgnoreAggregatedRoles, normalizers.IgnoreNormalizerOpts{}).
		WithTracking(common.LabelKeyAppInstance, string(v1alpha1.TrackingMethodAnnotation)).
		WithNoCache().
		WithGVKParser(a.cache.GetGVKParser()).
		WithManager(common.ArgoCDSSAManager).
		WithStructuredMergeDiff(a.serverSideApply).
		WithServerSideDiff(a.serverSideDiff)
	if a.serverSideDiff {
		applier, done, err := argokube.ManageServerSideDiffDryRuns(a.config, func(string) (kube.CleanupFunc, error) { return func() {}, nil })
		if err != nil {
			return nil, err
		}
		defer done()
		config.WithServerSideDryRunner(diff.NewK8sServerSideDryRunner(applier))
	}
	built, err := config.Build()
	if err != nil {
		return nil, err
	}
	differences, err := argodiff.StateDiffs(found.Live, found.Target, built)
	if err != nil {
		return nil, err
	}
	var objects []object
	for i, d := range differences.Diffs {
		target, live := found.Target[i], found.Live[i]
		o := object{Kind: target.GetKind(), Name: target.GetName(), Synced: !d.Modified}
		if d.Modified {
			o.Live, o.Predicted = string(d.NormalizedLive), string(d.PredictedLive)
		}
		if live == nil {
			o.Health = string(health.HealthStatusMissing)
		} else {
			checked, err := health.GetResourceHealth(live, lua.ResourceHealthOverrides(a.overrides))
			if err != nil {
				return nil, err
			}
			if checked != nil {
				o.Health, o.Message = string(checked.Status), checked.Message
			}
		}
		objects = append(objects, o)
	}
	return objects, nil
}
