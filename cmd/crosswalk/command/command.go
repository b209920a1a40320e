// Package command is the program crosswalk, to be built with what it cannot have
// itself: Go functions that tables call, and Go code that converts instead of a table.
// A main of your own is
//
//	func main() {
//		command.Main(command.Options{Functions: conversion.Functions{"rot13": rot13()}})
//	}
//
// and has every command. Build it under the name crosswalk, which messages call it by.
package command

import (
	"context"
	"os"
	// CEL knows time zones by name, as in getHours('Europe/Oslo'), and the image has no
	// other file that lists them. kube-apiserver holds them, too.
	_ "time/tzdata"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/conversion/typed"
)

// Options are what a program adds to crosswalk.
type Options struct {
	// Functions are those that tables may call, by the names by which they do. In a
	// cluster serve and manage need the same ones, of the same revisions: manage arms
	// a CRD only when every replica of serve compiles its table to the same.
	Functions conversion.Functions
	// Typed convert kinds by Go code instead of a table. The command convert uses them,
	// and explains what they do; serve does not: a server of your own mounts them.
	Typed []*typed.Converter
	// Version is what the command version and --version print, and what clusters see
	// in the user agent. The default is that of the program's module.
	Version string
}

// Main runs the command that the arguments of the process name, and ends the process
// with its exit code: 0 it is done, 1 something failed, 2 flags or configuration are
// wrong.
func Main(o Options) {
	os.Exit(o.run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// compiling says how tables are compiled.
func (o Options) compiling() conversion.Option { return conversion.WithFunctions(o.Functions) }
