// Command crosswalk converts custom resources between the versions of their
// CustomResourceDefinitions, from a table.
package main

import "github.com/crosswalk-dev/crosswalk/cmd/crosswalk/command"

// release is for packagers whose build has no version control:
//
//	go build -ldflags "-X main.release=v1.2.3" ./cmd/crosswalk
var release string

func main() {
	command.Main(command.Options{Version: release})
}
