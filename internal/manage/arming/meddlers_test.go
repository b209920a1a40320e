package arming

import (
	"context"
	"errors"
	"net"
	"strconv"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/certs"
	"github.com/crosswalk-dev/crosswalk/certs/inject"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
	"github.com/crosswalk-dev/crosswalk/internal/manage/rehearsal"
)

// external is a Service that leads to an address.
func external(namespace, address string) (*corev1.Service, int32) {
	host, port, _ := net.SplitHostPort(address)
	n, _ := strconv.Atoi(port)
	return &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "crosswalk"},
		Spec: corev1.ServiceSpec{Type: corev1.ServiceTypeExternalName, ExternalName: host}}, int32(n)
}

func establish(crd *apiextensionsv1.CustomResourceDefinition) {
	crd.Status.Conditions = []apiextensionsv1.CustomResourceDefinitionCondition{{Type: "Established", Status: "True"}}
}

// spoiled lets every Crosswalk have a field that this release does not know.
type spoiled struct{ client.Reader }

func (s spoiled) Get(ctx context.Context, key client.ObjectKey, o client.Object, opts ...client.GetOption) error {
	err := s.Reader.Get(ctx, key, o, opts...)
	if u, ok := o.(*unstructured.Unstructured); ok && err == nil {
		_ = unstructured.SetNestedField(u.Object, "x", "spec", "versions0")
	}
	return err
}

// What cannot be read now could be read once, and its CRD may be armed since.
func TestUnreadableCrosswalkIsHeld(t *testing.T) {
	r, table, _ := armedTable(t)
	crd := table.CRD
	crd.ResourceVersion = ""
	crd.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{Strategy: "None"}
	crd.Status.StoredVersions = []string{"v1beta1", "v1"}
	cw := table.Crosswalk
	cw.ResourceVersion, cw.Finalizers = "", []string{v1alpha1.FinalizerDisarm, "test/hold"}
	cw.Status.Fingerprint = table.Converter.Fingerprint()
	for _, o := range []client.Object{crd, cw} {
		if err := r.writer.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.writer.Delete(t.Context(), cw); err != nil {
		t.Fatal(err)
	}
	r.live = spoiled{r.live}
	_, _ = r.Reconcile(t.Context(), reconcile.Request{NamespacedName: client.ObjectKey{Name: crontabs}})
	after := new(v1alpha1.Crosswalk)
	_ = r.cached.Get(t.Context(), client.ObjectKey{Name: crontabs}, after)
	revisions := new(appsv1.ControllerRevisionList)
	_ = r.cached.List(t.Context(), revisions)
	if len(after.Finalizers) != 2 || len(revisions.Items) == 0 {
		t.Error("a Crosswalk whose CRD still needs it was released, because it cannot be read")
	}
}

func TestNothingIsKeptOfAGoneCrosswalk(t *testing.T) {
	r, _, revision := armedTable(t)
	r.lost[crontabs] = []*appsv1.ControllerRevision{revision} // what letGo's own deletes leave
	_, _ = r.Reconcile(t.Context(), reconcile.Request{NamespacedName: client.ObjectKey{Name: crontabs}})
	if len(r.lost) > 0 {
		t.Error("whole revisions of a Crosswalk that is gone stay in memory")
	}
}

// The API server believes what the CRD holds, and nothing else.
func TestBundleOfTheCRDIsTried(t *testing.T) {
	r, table, _ := armedTable(t)
	address := serveTLS(t, r.Serve.Certs, converting(t, table, nil))
	service, port := external("crosswalk-system", address)
	r.Serve.Port, r.Serve.Replicas, r.Serve.CertManagerCertificate = port, []string{address}, "crosswalk-serving"
	if err := r.writer.Create(t.Context(), service); err != nil {
		t.Fatal(err)
	}
	other, _ := rehearsal.Authority(t).Current()
	table.CRD.Annotations = map[string]string{reach.InjectCAFrom: "crosswalk-system/crosswalk-serving"}
	client := table.CRD.Spec.Conversion.Webhook.ClientConfig
	client.CABundle, client.Service.Port = other.CABundle, &port
	establish(table.CRD)
	goal, _ := r.target(t.Context(), table)
	s, err := r.aim(t.Context(), table, goal, state{compiled: yes("Compiled", "")})
	if err != nil {
		t.Fatal(err)
	}
	if s.ready.ok || s.ready.reason != "WaitingForCAInjector" {
		t.Errorf("got %+v, though the CRD's caBundle does not vouch for the server", s.ready)
	}
}

// Both arm every CRD, and each would for ever take it from the other.
func TestTwoInstallationsDoNotFightForEver(t *testing.T) {
	a, table, revision := armedTable(t)
	b := newReconciler(t)
	b.live, b.cached, b.writer = a.live, a.cached, a.writer
	b.Serve.Live, b.Serve.Cached = a.live, a.cached
	b.Serve.Service.Namespace = "other"
	var err error
	if b.Serve.Certs, err = certs.NewAuthority(certs.AuthorityOptions{Dir: t.TempDir(), Names: []string{"crosswalk.other.svc"}}); err != nil {
		t.Fatal(err)
	}
	for _, r := range []*reconciler{a, b} {
		address := serveTLS(t, r.Serve.Certs, converting(t, table, nil))
		var service *corev1.Service
		service, r.Serve.Port = external(r.Serve.Service.Namespace, address)
		r.Serve.Replicas = []string{address}
		if err := r.writer.Create(t.Context(), service); err != nil {
			t.Fatal(err)
		}
	}
	again := revision.DeepCopy()
	again.ResourceVersion, again.Namespace = "", "other"
	crd, cw := table.CRD, table.Crosswalk
	crd.ResourceVersion, cw.ResourceVersion, cw.Finalizers = "", "", []string{v1alpha1.FinalizerDisarm}
	cw.Status.Fingerprint = table.Converter.Fingerprint()
	establish(crd)
	for _, o := range []client.Object{again, crd, cw} {
		if err := a.writer.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	writes, last := 0, ""
	for range 20 {
		for _, r := range []*reconciler{a, b} {
			if _, err := r.Reconcile(t.Context(), reconcile.Request{NamespacedName: client.ObjectKey{Name: crontabs}}); err != nil {
				t.Fatal(err)
			}
			now := new(apiextensionsv1.CustomResourceDefinition)
			_ = a.cached.Get(t.Context(), client.ObjectKey{Name: crontabs}, now)
			if ns := now.Spec.Conversion.Webhook.ClientConfig.Service.Namespace; ns != last {
				writes, last = writes+1, ns
			}
		}
	}
	if most := 2 * writesAtOnce; writes > most {
		t.Errorf("spec.conversion changed hands %d times, want %d at most", writes, most)
	}
	if a.contended(crd) == nil || b.contended(crd) == nil {
		t.Error("neither says that somebody else keeps writing")
	}
}

// full refuses revisions, as a quota, etcd's limit or a policy does.
type full struct{ client.Client }

func (f full) Create(ctx context.Context, o client.Object, opts ...client.CreateOption) error {
	if _, ok := o.(*appsv1.ControllerRevision); ok {
		return errors.New("etcdserver: request is too large")
	}
	return f.Client.Create(ctx, o, opts...)
}

// An installer has disarmed the CRD of a table that has a successor.
func TestRestoringNeedsNoNewRevision(t *testing.T) {
	r, table, _ := armedTable(t)
	address := serveTLS(t, r.Serve.Certs, converting(t, table, nil))
	service, port := external("crosswalk-system", address)
	r.Serve.Port, r.Serve.Replicas = port, []string{address}
	crd, cw := table.CRD, table.Crosswalk
	crd.ResourceVersion, cw.ResourceVersion, cw.Finalizers = "", "", []string{v1alpha1.FinalizerDisarm}
	cw.Status.Fingerprint = table.Converter.Fingerprint()
	crd.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{Strategy: "None"} // an installer
	cw.Spec.Versions[0].Rows = nil                                                    // a newer table
	for _, o := range []client.Object{service, crd, cw} {
		if err := r.writer.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	r.writer = full{r.writer}
	_, err := r.Reconcile(t.Context(), reconcile.Request{NamespacedName: client.ObjectKey{Name: crontabs}})
	now := new(apiextensionsv1.CustomResourceDefinition)
	_ = r.cached.Get(t.Context(), client.ObjectKey{Name: crontabs}, now)
	if now.Spec.Conversion.Strategy != "Webhook" {
		t.Errorf("the CRD stays disarmed although the last table's revision and its replicas are there: %v", err)
	}
}

// A CRD whose author lets cainjector add a CA of their own.
func TestBundleThatCAInjectorAddsTo(t *testing.T) {
	r, table, _ := armedTable(t)
	crd, w := armed(t, r, table.CRD)
	other, _ := rehearsal.Authority(t).Current()
	crd.Annotations = map[string]string{reach.InjectCAFrom: "myapp/webhook-cert"}
	conf := crd.Spec.Conversion.Webhook.ClientConfig
	conf.CABundle = append(conf.CABundle, other.CABundle...)
	bundle, _ := inject.ParseBundle(w.bundle)
	if !r.holds(crd, r.want(crd, "0123", bundle)) {
		t.Error("every merge of cainjector is written over, and it merges again at once")
	}
}
