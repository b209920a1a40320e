// Package links has pages of the repository lead to it from elsewhere.
package links

import (
	"path"
	"regexp"
	"strings"
)

// Home is where the project is.
const Home = "https://github.com/crosswalk-dev/crosswalk"

// target is where a link of Markdown leads, as in [text](target).
var target = regexp.MustCompile(`\]\([^()\s]+\)`)

// Absolute returns markdown, a page in the folder of the repository, with links to the
// repository as it is at version in place of links from folder. Links within the page
// stay.
func Absolute(markdown, folder, version string) string {
	return target.ReplaceAllStringFunc(markdown, func(link string) string {
		to := link[len("](") : len(link)-len(")")]
		if strings.HasPrefix(to, "#") || strings.Contains(to, "://") {
			return link
		}
		return "](" + Home + "/blob/" + version + "/" + path.Join(folder, to) + ")"
	})
}
