package registration

import (
	"cmp"
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
)

// questions returns the requests that must be answered before anything is added, for each
// configuration. Each has at least one, which tests the bundle.
func (r *reconciler) questions(now []webhooks.Side) [][]*webhooks.Question {
	guards, stricts := []*webhooks.Question{keepingQuestion()}, []*webhooks.Question{configuringQuestion()}
	for _, crd := range slices.Sorted(maps.Keys(r.known)) {
		k := r.known[crd]
		if k.table == nil {
			continue
		}
		told := guarded(now, *k.table)
		for _, version := range k.table.Versions {
			if !slices.Contains(told, version) {
				guard, strict := r.questionsOf(crd, *k.table, version)
				guards, stricts = append(guards, guard), append(stricts, strict)
			}
		}
	}
	return [][]*webhooks.Question{guards, stricts}
}

// allowed returns the part of a goal that may be written: what is registered already, and what
// has been answered. The obstacles of the rest are added to lacking.
func (r *reconciler) allowed(goal Desired, now []webhooks.Side, questions []*webhooks.Question, lacking map[string]*reach.Obstacle) Desired {
	may := goal
	may.Tables = nil
	may.KeepConversion, may.Configuration = asks(now, KeepConversionWebhook), asks(now, ConfigurationWebhook)
	refused := map[string][]string{}
	for _, q := range questions {
		switch {
		case q.Path == KeepConversionPath:
			may.KeepConversion = may.KeepConversion || q.Answered
		case q.Path == ConfigurationPath:
			may.Configuration = may.Configuration || q.Answered
		case !q.Answered:
			refused[q.About] = append(refused[q.About], q.Version)
			lacking[q.About] = cmp.Or(lacking[q.About], q.Refusal)
		}
	}
	for crd, k := range r.known {
		if k.table == nil {
			continue
		}
		t := *k.table
		t.Versions = slices.DeleteFunc(slices.Clone(t.Versions), func(v string) bool { return slices.Contains(refused[crd], v) })
		may.Tables = append(may.Tables, t)
	}
	return may
}

// tables returns the resources that should be guarded.
func (r *reconciler) tables() []Table {
	var tables []Table
	for _, k := range r.known {
		if k.table != nil {
			tables = append(tables, *k.table)
		}
	}
	return tables
}

// lackNew sets the obstacle of every CRD that is not guarded yet.
func (r *reconciler) lackNew(o *outcome, now []webhooks.Side, obstacle *reach.Obstacle) {
	o.lacking = map[string]*reach.Obstacle{}
	for crd, k := range r.known {
		if k.table == nil {
			continue
		}
		told := guarded(now, *k.table)
		if slices.ContainsFunc(k.table.Versions, func(v string) bool { return !slices.Contains(told, v) }) {
			o.lacking[crd] = obstacle
		}
	}
}

// lack sets the obstacle of every guarded CRD that has none.
func (r *reconciler) lack(o *outcome, obstacle *reach.Obstacle) {
	if o.lacking == nil {
		o.lacking = map[string]*reach.Obstacle{}
	}
	for crd, k := range r.known {
		if k.table != nil {
			o.lacking[crd] = cmp.Or(o.lacking[crd], obstacle)
		}
	}
}
