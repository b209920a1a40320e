package command

import (
	"io"
	"log/slog"

	"github.com/go-logr/logr"
	"github.com/spf13/pflag"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
)

// clusterOptions holds the flags of the commands that run in or beside a cluster.
type clusterOptions struct {
	program    Options
	kubeconfig string
	namespace  string
	service    string
}

func (o *clusterOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.kubeconfig, "kubeconfig", "", "kubeconfig of the cluster (default: the cluster that this process runs in)")
	f.StringVar(&o.namespace, "namespace", "", "namespace of Crosswalk's Service, Secrets and revisions (default: that of the Pod, or "+cluster.DefaultNamespace+")")
	f.StringVar(&o.service, "service", "crosswalk", "Service of serve")
}

func (o *clusterOptions) check() error {
	if o.service == "" {
		return usagef("--service is empty")
	}
	if o.namespace == "" {
		o.namespace = cluster.Namespace()
	}
	return nil
}

// serviceName returns the Service of serve.
func (o *clusterOptions) serviceName() cluster.Service {
	return cluster.Service{Namespace: o.namespace, Name: o.service}
}

// compiler returns the compiler of the cluster's tables.
func (o *clusterOptions) compiler(options ...conversion.Option) cluster.Compiler {
	return cluster.Compiler{Options: append(options, o.program.compiling())}
}

func (o *clusterOptions) connect(role string) (*rest.Config, error) {
	config, err := cluster.Connect(o.kubeconfig, "crosswalk-"+role+"/"+o.program.version())
	if err != nil {
		return nil, usagef("%w", err)
	}
	return config, nil
}

// logOptions holds the flags of the commands that log.
type logOptions struct{ format string }

func (o *logOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.format, "log-format", "json", "format of the log: json or text")
}

func (o *logOptions) check() error {
	if o.format != "json" && o.format != "text" {
		return usagef("--log-format %q: use json or text", o.format)
	}
	return nil
}

func (o *logOptions) logger(w io.Writer) *slog.Logger {
	if o.format == "text" {
		return slog.New(slog.NewTextHandler(w, nil))
	}
	return slog.New(slog.NewJSONHandler(w, nil))
}

// adoptLogs writes the logs of Kubernetes' libraries, which are global, to this process's own
// log.
func adoptLogs(log *slog.Logger) {
	klog.SetSlogLogger(log.With("from", "client-go"))
	ctrllog.SetLogger(logr.FromSlogHandler(log.With("from", "controller-runtime").Handler()))
}
