// Package builtin does what the API server does with an object of one of its own kinds. Before
// admission, the API server reads the object as its Go type, which drops unknown fields, sets
// defaults, and passes it on as the type writes it ([Read]). Before validating admission, it
// restores what clients cannot write, and sets the fields that it computes ([Write.Stored]). A
// policy for another version sees the object in that version ([Convert]).
//
// Kubernetes publishes the types (k8s.io/api), but not their defaults and strategies, which are
// code of the API server. They are written here again, a function for each type that has any
// ([defaults], [strategies]). Nobody can check them by reading: e2e/oracle fills objects of
// every kind at random and compares the results of this package with those of Kubernetes' own
// functions.
//
// This package has no validation, which is also code of the API server, and no changes by
// controllers and admission plugins. internal/admit has the changes that plugins make to new
// objects.
package builtin
