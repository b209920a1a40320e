// Package links makes the links of a page absolute, for places outside the repository.
package links

import (
	"path"
	"regexp"
	"strings"
)

// Home is the address of the project.
const Home = "https://github.com/crosswalk-dev/crosswalk"

// target matches the target of a Markdown link, as in [text](target).
var target = regexp.MustCompile(`\]\([^()\s]+\)`)

// Absolute returns markdown, a page in the folder of the repository, with its relative links
// replaced by links to the repository at version. Links within the page stay.
func Absolute(markdown, folder, version string) string {
	return target.ReplaceAllStringFunc(markdown, func(link string) string {
		to := link[len("](") : len(link)-len(")")]
		if strings.HasPrefix(to, "#") || strings.Contains(to, "://") {
			return link
		}
		return "](" + Home + "/blob/" + version + "/" + path.Join(folder, to) + ")"
	})
}
