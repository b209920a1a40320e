// Command notes-crosswalk is crosswalk with a Go function that tables may call. It has
// every command that crosswalk has.
package main

import (
	"encoding/json"
	"strings"

	"github.com/crosswalk-dev/crosswalk/cmd/crosswalk/command"
	"github.com/crosswalk-dev/crosswalk/conversion"
)

func main() {
	command.Main(command.Options{Functions: conversion.Functions{
		"rot13": {ToHub: rot13, ToSpoke: rot13, Revision: "v1"},
	}})
}

// rot13 is nothing that a table could say. It is its own inverse.
func rot13(values conversion.Values) (conversion.Values, error) {
	text, there := values[""]
	if !there {
		return nil, nil
	}
	var plain string
	if err := json.Unmarshal(text, &plain); err != nil {
		return nil, err
	}
	turned, err := json.Marshal(strings.Map(turn, plain))
	return conversion.Values{"": turned}, err
}

// turn takes letters half around the alphabet.
func turn(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z':
		return 'a' + (r-'a'+13)%26
	case r >= 'A' && r <= 'Z':
		return 'A' + (r-'A'+13)%26
	}
	return r
}
