package command

import (
	"runtime/debug"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/crosswalk-dev/crosswalk/webhook"
)

// registerMetrics adds the metrics of both roles: the version of the program, and its
// readiness.
func (o Options) registerMetrics(registry prometheus.Registerer, role string, readiness *webhook.Readiness) {
	info, _ := debug.ReadBuildInfo()
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name:        "crosswalk_build_info",
		Help:        "Always 1, with the role, version and commit of this process.",
		ConstLabels: prometheus.Labels{"role": role, "version": o.versionOf(info), "commit": commitOf(info)},
	})
	build.Set(1)
	registry.MustRegister(build)
	readiness.Register(registry)
}
