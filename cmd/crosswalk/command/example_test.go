package command_test

import (
	"github.com/crosswalk-dev/crosswalk/cmd/crosswalk/command"
	"github.com/crosswalk-dev/crosswalk/conversion"
)

// Crosswalk with a Go function that tables call, in a main of your own.
func ExampleMain() {
	same := func(values conversion.Values) (conversion.Values, error) { return values, nil }
	command.Main(command.Options{Functions: conversion.Functions{
		"same": {ToHub: same, ToSpoke: same, Revision: "v1"},
	}})
}
