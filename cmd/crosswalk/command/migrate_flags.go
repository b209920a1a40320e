package command

import (
	"slices"

	"github.com/spf13/pflag"
)

// migrateOptions holds the flags of migrate.
type migrateOptions struct {
	kubeOptions
	bulkOptions
	parallel int
	dryRun   bool
}

func (o *migrateOptions) addFlags(f *pflag.FlagSet) {
	o.kubeOptions.addFlags(f)
	f.IntVar(&o.parallel, "parallel", 8, "how many objects to rewrite at once")
	o.bulkOptions.addFlags(f, "most requests per second, 0 for no limit; an object takes one if it is in the storage version already, else two or three")
	f.BoolVar(&o.dryRun, "dry-run", false, "write nothing; print what would be done, and which objects would fail")
}

// check checks what the types of the flags do not.
func (o *migrateOptions) check(args []string) error {
	switch {
	case len(args) == 0:
		return usagef("name the CustomResourceDefinitions to migrate: kubectl get crds lists them")
	case slices.Contains(args, ""):
		return usagef("the name of a CustomResourceDefinition is empty")
	case o.parallel < 1:
		return usagef("--parallel %d: want 1 or more", o.parallel)
	}
	return o.bulkOptions.check()
}
