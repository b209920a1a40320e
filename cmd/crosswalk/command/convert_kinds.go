package command

import (
	"fmt"

	"github.com/crosswalk-dev/crosswalk/internal/config"
	"github.com/crosswalk-dev/crosswalk/internal/offline"
)

// convertible is a kind of which convert converts the objects.
type convertible struct {
	offline.Explaining
	listKind string
}

// kinds are those that the configuration has tables for, and those for which the
// program has code.
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
				return nil, fmt.Errorf("crosswalk %s: this program converts %s by Go code, too; leave the table out of --config, or the code out of the program", code.Name(), code.Kind())
			}
		}
		all = append(all, convertible{code, code.ListKind()})
	}
	return all, nil
}
