package command

import (
	"fmt"

	"github.com/crosswalk-dev/crosswalk/internal/config"
	"github.com/crosswalk-dev/crosswalk/internal/offline"
)

// convertible is a kind whose objects convert converts.
type convertible struct {
	offline.Explaining
	listKind string
}

// kinds returns the kinds with a table in the configuration, and the kinds with code in the
// program.
func (o *convertOptions) kinds() ([]convertible, error) {
	var all []convertible
	if len(o.config) > 0 {
		loaded, err := config.Load(o.config)
		if err == nil {
			err = loaded.NeedTables()
		}
		if err != nil {
			return nil, err
		}
		converters, err := loaded.Compile(o.program.compiling(), o.objects.compiling())
		if err != nil {
			return nil, err
		}
		for i, converter := range converters {
			all = append(all, convertible{converter, loaded.Tables[i].CRD.Spec.Names.ListKind})
		}
	}
	for _, code := range o.program.Typed {
		for _, other := range all {
			if other.Group() == code.Group() && other.Kind() == code.Kind() {
				return nil, fmt.Errorf("crosswalk %s: this program also converts %s by Go code; remove the table from --config, or the code from the program", code.Name(), code.Kind())
			}
		}
		all = append(all, convertible{code, code.ListKind()})
	}
	return all, nil
}
