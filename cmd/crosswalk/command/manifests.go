package command

import (
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/certs/inject"
	"github.com/crosswalk-dev/crosswalk/internal/cluster"
	"github.com/crosswalk-dev/crosswalk/internal/config"
	"github.com/crosswalk-dev/crosswalk/internal/manage/arming"
	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
	"github.com/crosswalk-dev/crosswalk/internal/manage/registration"
	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
)

// manifestsOptions holds the flags of manifests.
type manifestsOptions struct {
	program     Options
	config      []string
	namespace   string
	service     string
	port        int32
	caFile      string
	certificate string
}

func newManifestsCommand(program Options) *cobra.Command {
	o := manifestsOptions{program: program}
	cmd := &cobra.Command{
		Use:   "manifests --config PATH",
		Short: "Print what manage would write, to keep it in Git",
		Long: `Manifests prints what crosswalk manage would write for the tables and policies in
files: spec.conversion of each CRD, as a patch, and the webhook configurations for the
guard, strict writes and policies. Use it in clusters where serve reads the same files,
with --config, and another tool than manage applies the configuration.

Apply the configurations and the patches only after serve has rolled out. A changed
table has another patch, so roll out serve first. The API server calls policies by
name: roll out serve before you apply a new or changed policy, and after you remove
one.`,
		Example: `  crosswalk manifests --config tables/ --ca-file ca.crt > crosswalk.yaml
  kubectl apply --server-side -f crosswalk.yaml`,
		Args: noArguments("tables, policies and CRDs are given with --config"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			return o.print(cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.config, "config", nil, "file or folder with CRDs, Crosswalks and policies, YAML or JSON (repeatable)")
	f.StringVar(&o.namespace, "namespace", cluster.DefaultNamespace, "namespace of the Service")
	f.StringVar(&o.service, "service", "crosswalk", "Service of serve")
	f.Int32Var(&o.port, "service-port", 443, "the Service's port")
	f.StringVar(&o.caFile, "ca-file", "", "PEM file with the CA of serve's certificate, for every caBundle")
	f.StringVar(&o.certificate, "cert-manager-certificate", "", "cert-manager's Certificate, in --namespace: cainjector then keeps every caBundle (default without --ca-file: crosswalk manage does)")
	return cmd
}

func (o *manifestsOptions) check() error {
	switch {
	case len(o.config) == 0:
		return usagef("--config is missing: name the files or folders with the CRDs, tables and policies")
	case slices.Contains(o.config, ""):
		return usagef("--config is empty: name the files or folders with the CRDs, tables and policies")
	case o.namespace == "":
		return usagef("--namespace is empty")
	case o.service == "":
		return usagef("--service is empty")
	case o.port < 1 || o.port > 65535:
		return usagef("--service-port %d: want 1 to 65535", o.port)
	case o.caFile != "" && o.certificate != "":
		return usagef("--ca-file and --cert-manager-certificate exclude each other: both write the caBundles")
	}
	return nil
}

func (o *manifestsOptions) print(w io.Writer) error {
	loaded, err := config.Load(o.config)
	if err != nil {
		return usagef("%w", err)
	}
	converters, err := loaded.Compile(o.program.compiling())
	if err != nil {
		return usagef("%w", err)
	}
	bundle, err := o.bundle()
	if err != nil {
		return err
	}
	d := registration.Desired{
		Target: webhooks.Target{
			Service: cluster.Service{Namespace: o.namespace, Name: o.service}, Port: o.port,
			Bundle: bundle, Annotations: o.annotations(), Suffix: "-files",
		},
	}
	for i, table := range loaded.Tables {
		patch := map[string]any{
			"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
			"metadata": metadata(table.CRD.Name, d.Annotations),
			"spec":     map[string]any{"conversion": arming.Conversion(d.Service, d.Port, cluster.ConvertPath(converters[i].Fingerprint()), bundle)},
		}
		if err := printYAML(w, patch); err != nil {
			return err
		}
		if table.Crosswalk.Spec.Admission != v1alpha1.AdmissionNone {
			d.Tables = append(d.Tables, registration.TableOf(table.CRD))
		}
	}
	policies, err := planPolicies(loaded, d.Target)
	if err != nil {
		return usagef("%w", err)
	}
	for _, pair := range []webhooks.Pair{registration.Plan(d), policies} {
		if err := printPair(w, pair); err != nil {
			return err
		}
	}
	return nil
}

// printPair prints the configurations that have a webhook.
func printPair(w io.Writer, p webhooks.Pair) error {
	p.Mutating.Webhooks = slices.DeleteFunc(p.Mutating.Webhooks, func(w admissionregistrationv1.MutatingWebhook) bool { return len(w.Rules) == 0 })
	p.Validating.Webhooks = slices.DeleteFunc(p.Validating.Webhooks, func(w admissionregistrationv1.ValidatingWebhook) bool { return len(w.Rules) == 0 })
	if len(p.Mutating.Webhooks) > 0 {
		if err := printYAML(w, p.Mutating); err != nil {
			return err
		}
	}
	if len(p.Validating.Webhooks) == 0 {
		return nil
	}
	return printYAML(w, p.Validating)
}

// bundle returns the content of every caBundle, or nil if another program writes them.
func (o *manifestsOptions) bundle() ([]byte, error) {
	if o.caFile == "" {
		return nil, nil
	}
	text, err := os.ReadFile(o.caFile)
	if err != nil {
		return nil, usagef("--ca-file: %w", err)
	}
	bundle, err := inject.ParseBundle(text)
	if err != nil {
		return nil, usagef("--ca-file %s: %w", o.caFile, err)
	}
	return bundle.PEM(), nil
}

// annotations name the program that writes the bundles.
func (o *manifestsOptions) annotations() map[string]string {
	switch {
	case o.caFile != "":
		return nil
	case o.certificate != "":
		return map[string]string{reach.InjectCAFrom: o.namespace + "/" + o.certificate}
	}
	return map[string]string{v1alpha1.AnnotationInjectCA: "true"}
}

func metadata(name string, annotations map[string]string) map[string]any {
	m := map[string]any{"name": name}
	if len(annotations) > 0 {
		m["annotations"] = annotations
	}
	return m
}

func printYAML(w io.Writer, object any) error {
	text, err := yaml.Marshal(object)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "---\n%s", text)
	return err
}
