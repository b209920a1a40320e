// Package command is the program crosswalk. Use it to build the program with Go code that the
// original cannot contain: functions that tables call, and Go code that converts instead of a
// table. Such a main is
//
//	func main() {
//		command.Main(command.Options{Functions: conversion.Functions{"rot13": rot13()}})
//	}
//
// and has every command. Build it under the name crosswalk, because messages use that name.
package command

import (
	"context"
	"os"
	// CEL knows time zones by name, as in getHours('Europe/Oslo'), and the image has no other
	// file that lists them. kube-apiserver embeds them, too.
	_ "time/tzdata"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/conversion/typed"
)

// Options are the additions to the program crosswalk.
type Options struct {
	// Functions are the Go functions that tables may call, by name. In a cluster, serve and
	// manage need the same functions, of the same revisions: manage arms a CRD only when every
	// replica of serve compiles its table to the same fingerprint.
	Functions conversion.Functions
	// Typed converts kinds by Go code instead of a table. The command convert uses and explains
	// it. The command serve does not: mount it in a server of your own.
	Typed []*typed.Converter
	// Version is what the command version and --version print, and what clusters see as the
	// user agent. The default is the version of the program's module.
	Version string
}

// Main runs the command in the arguments of the process, and ends the process with its exit
// code: 0 done, 1 something failed, 2 flags or configuration are wrong.
func Main(o Options) {
	os.Exit(o.run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// compiling returns the option for compiling tables.
func (o Options) compiling() conversion.Option { return conversion.WithFunctions(o.Functions) }
