// Package typed validates and defaults requests with Go code: with validators and defaulters for the types
// of a runtime.Scheme, in the form that Kubernetes uses for its own.
//
// A [Registry] holds them by kind. Its two reviewers, [Registry.Validators] and
// [Registry.Defaulters], are served like any other, alone or with declarative ones
// (validation.Each, validation.InTurn):
//
//	registry := typed.New(scheme)
//	err := typed.AddValidator(registry, cronTabs{})
//	err = reviewers.Replace(map[string]validation.Reviewer{"typed": registry.Validators()}, nil)
package typed
