package command

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/conversion/verify"
)

type verifyOptions struct {
	kubeOptions
	config      []string
	samples     []string
	fromCluster bool
	cases       int
	seed        uint64
	output      string
	objects     objectOptions

	// compile replaces the compiler in tests.
	compile verify.CompileFunc
}

func (o *verifyOptions) addFlags(f *pflag.FlagSet) {
	f.StringArrayVar(&o.config, "config", nil, "file or folder with CustomResourceDefinitions and Crosswalks; repeatable")
	f.IntVar(&o.cases, "cases", 200, "how many generated objects to try each law on")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the generated objects and edits: the same seed generates the same")
	f.StringArrayVar(&o.samples, "samples", nil, "file or folder with real objects to try as well, in any version, - is standard input; repeatable")
	f.BoolVar(&o.fromCluster, "from-cluster", false, "try the objects of a cluster as well; they are read and never written")
	o.objects.addFlags(f)
	o.kubeOptions.addFlags(f)
	f.StringVarP(&o.output, "output", "o", "text", "format to print: text, json or junit")
}

// check reports flags that are missing or exclude each other.
func (o *verifyOptions) check(changed func(flag string) bool) error {
	switch {
	case len(o.config) == 0:
		return usagef("--config is missing: name the files or folders with the CRDs and tables")
	case slices.Contains(slices.Concat(o.config, o.samples), ""):
		return usagef("a path is empty: name a file or folder")
	case !slices.Contains([]string{"text", "json", "junit"}, o.output):
		return usagef("--output %s: use text, json or junit", o.output)
	case o.cases < 0:
		return usagef("--cases %d: want 0 or more", o.cases)
	case o.cases == 0 && len(o.samples) == 0 && !o.fromCluster:
		return usagef("--cases 0 leaves nothing to try: name real objects with --samples or --from-cluster, or use --cases 1 to see the warnings only")
	}
	for _, flag := range []string{"kubeconfig", "context"} {
		if changed(flag) && !o.fromCluster {
			return usagef("--%s needs --from-cluster", flag)
		}
	}
	return o.objects.check()
}

// command returns the command line that repeats this run.
func (o *verifyOptions) command() string {
	words := []string{"crosswalk", "verify"}
	add := func(flag string, values ...string) {
		for _, value := range values {
			words = append(words, "--"+flag, quoted(value))
		}
	}
	add("config", o.config...)
	add("cases", strconv.Itoa(o.cases))
	add("seed", strconv.FormatUint(o.seed, 10))
	add("samples", o.samples...)
	if o.fromCluster {
		words = append(words, "--from-cluster")
	}
	if o.objects.maxBytes != conversion.MaxSize {
		add("max-object-bytes", strconv.Itoa(o.objects.maxBytes))
	}
	if o.kubeconfig != "" {
		add("kubeconfig", o.kubeconfig)
	}
	if o.context != "" {
		add("context", o.context)
	}
	return strings.Join(words, " ")
}

// quoted quotes a word for a shell.
func quoted(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:@%+=,", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
