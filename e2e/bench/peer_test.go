package bench

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
	"sigs.k8s.io/controller-runtime/pkg/log"
	webhookconversion "sigs.k8s.io/controller-runtime/pkg/webhook/conversion"

	"github.com/crosswalk-dev/crosswalk/internal/config"
	"github.com/crosswalk-dev/crosswalk/webhook"
)

// Hub marks v1 as the version that all others convert to and from.
func (*hub) Hub() {}

// ConvertTo is the hand-written conversion to the hub.
func (s *spoke) ConvertTo(raw conversion.Hub) error {
	dst := raw.(*hub)
	dst.ObjectMeta = s.ObjectMeta
	dst.Spec = hubSpec{CronSpec: s.Spec.CronSpec, Image: s.Spec.Image, Replicas: s.Spec.Replicas, Env: s.Spec.Env}
	dst.Status = s.Status
	if s.Spec.HostPort != "" {
		i := strings.LastIndexByte(s.Spec.HostPort, ':')
		if i < 0 {
			return fmt.Errorf("hostPort %q has no colon", s.Spec.HostPort)
		}
		dst.Spec.Host, dst.Spec.Port = s.Spec.HostPort[:i], s.Spec.HostPort[i+1:]
	}
	return nil
}

// ConvertFrom is the hand-written conversion from the hub.
func (s *spoke) ConvertFrom(raw conversion.Hub) error {
	src := raw.(*hub)
	s.ObjectMeta = src.ObjectMeta
	s.Spec = spokeSpec{CronSpec: src.Spec.CronSpec, Image: src.Spec.Image, Replicas: src.Spec.Replicas, Env: src.Spec.Env}
	s.Status = src.Status
	if src.Spec.Host != "" || src.Spec.Port != "" {
		s.Spec.HostPort = src.Spec.Host + ":" + src.Spec.Port
	}
	return nil
}

// controllerRuntime is the handler that a manager of controller-runtime mounts
// at /convert.
func controllerRuntime(tb testing.TB) http.Handler {
	tb.Helper()
	log.SetLogger(logr.Discard())
	scheme := runtime.NewScheme()
	scheme.AddKnownTypeWithName(groupVersionV1.WithKind("CronTab"), &hub{})
	scheme.AddKnownTypeWithName(groupVersionV1beta1.WithKind("CronTab"), &spoke{})
	metav1.AddToGroupVersion(scheme, groupVersionV1)
	metav1.AddToGroupVersion(scheme, groupVersionV1beta1)
	return webhookconversion.NewWebhookHandler(scheme, webhookconversion.NewRegistry())
}

// crosswalk is the handler that serve mounts, metrics and all.
func crosswalk(tb testing.TB) http.Handler {
	tb.Helper()
	files, err := config.Load([]string{"testdata"})
	if err != nil {
		tb.Fatal(err)
	}
	compiled, err := files.Compile()
	if err != nil {
		tb.Fatal(err)
	}
	metrics := webhook.NewMetrics(nil)
	tables := webhook.NewTables(metrics)
	if err := tables.Replace([]webhook.Converter{compiled[0]}); err != nil {
		tb.Fatal(err)
	}
	return webhook.NewHandler(webhook.Options{Tables: tables, Metrics: metrics})
}
