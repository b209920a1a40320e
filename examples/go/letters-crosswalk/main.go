// Command letters-crosswalk is crosswalk with a kind that Go code converts: the command
// convert converts its objects, and explains what the code does.
package main

import (
	"log"

	"github.com/crosswalk-dev/crosswalk/cmd/crosswalk/command"
	"github.com/crosswalk-dev/crosswalk/conversion/typed"
	"github.com/crosswalk-dev/crosswalk/examples/go/letters"
)

func main() {
	converter, err := letters.Converter()
	if err != nil {
		log.Fatal(err)
	}
	command.Main(command.Options{Typed: []*typed.Converter{converter}})
}
