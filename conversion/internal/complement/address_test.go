package complement_test

import "testing"

func TestAddress(t *testing.T) {
	tell(t, []story{
		{name: "an element is addressed by its key", tables: keyed, object: "{jobs: [{name: a, only: p}]}", there: "{tasks: [{id: a}]}",
			kept: []string{`.spec.jobs[{"name":"a"}].only "p"`}},
		{name: "a key that two elements share addresses neither", tables: keyed, object: "{jobs: [{name: a, only: p}, {name: a, cmd: x, only: q}, {name: b, only: r}]}",
			kept: []string{`.spec.jobs[content 0].only "p"`, `.spec.jobs[content 0].only "q"`, `.spec.jobs[{"name":"b"}].only "r"`}},
		{name: "an element without the key is addressed by its content", tables: keyed, object: "{jobs: [{cmd: x, only: p}, {name: b, only: r}]}",
			kept: []string{`.spec.jobs[content 0].only "p"`, `.spec.jobs[{"name":"b"}].only "r"`}},
		{name: "a key says what it is in the other version", tables: translated, object: "{jobs: [{name: a, only: p}, {name: c, only: q}]}",
			kept: []string{`.spec.jobs[{"name":"a"} there {"name":"A"}].only "p"`, `.spec.jobs[{"name":"c"}].only "q"`}},
		{name: "equal elements without a key are counted", tables: plain, object: "{jobs: [{name: a, only: p}, {name: a, only: q}, {name: b, only: r}]}",
			kept: []string{`.spec.jobs[content 0, 0 of 2].only "p"`, `.spec.jobs[content 0].only "r"`, `.spec.jobs[content 1, 1 of 2].only "q"`}},
		{name: "the only element has no content in its address", tables: single, from: "v1", object: "{backends: [{name: a, more: p}]}", there: "{backend: {service: a}}",
			kept: []string{`.spec.backends[only 0].more "p"`}},
	})
}
