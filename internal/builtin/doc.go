// Package builtin knows what the API server makes of an object of one of its own
// kinds. Before it asks anybody, it reads the object as its Go type, which drops what the
// type does not have, fills in what is not said, and hands it on as the type writes it
// ([Read]). Before it asks those who validate, it takes back what no client can write, and
// adds what it counts and works out ([Write.Stored]). A policy about another version sees the
// object in that one ([Convert]).
//
// Kubernetes publishes the types (k8s.io/api), but not their defaults and strategies, which
// are code of the API server. They are written here once more, a function for each type
// that has any ([defaults], [strategies]). Whether they are right, no reader can tell:
// e2e/oracle fills objects of every kind at random and holds what comes out here against
// Kubernetes' own functions.
//
// What is not here: validation, which is the API server's code as well, and what its
// controllers and admission plugins add. Of plugins, internal/admit has what they make of
// what is created.
package builtin
