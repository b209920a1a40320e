package builtin

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Resource is a resource or a subresource that can be written.
type Resource struct {
	schema.GroupVersionResource
	// Subresource is empty for the resource itself.
	Subresource string
	// Sent is the kind of the request's body.
	Sent       schema.GroupVersionKind
	Namespaced bool
	// Operations are create, update, delete and connect.
	Operations []string
}

//go:embed resources.txt
var table string

// Resources lists all resources that an API server serves itself.
var Resources = sync.OnceValue(func() []Resource {
	var all []Resource
	for line := range strings.Lines(table) {
		fields := strings.Fields(line)
		if len(fields) != 5 || fields[0] == "#" {
			continue
		}
		version, err := schema.ParseGroupVersion(fields[0])
		if err != nil {
			panic(err) // a test reads all of them
		}
		name, sub, _ := strings.Cut(fields[1], "/")
		of, kind, other := strings.Cut(fields[2], ":")
		if !other {
			of, kind = fields[0], fields[2]
		}
		all = append(all, Resource{
			GroupVersionResource: version.WithResource(name),
			Subresource:          sub,
			Sent:                 schema.FromAPIVersionAndKind(of, kind),
			Namespaced:           fields[3] == "namespaced",
			Operations:           strings.Split(fields[4], ","),
		})
	}
	return all
})

// Find returns the resource with objects of a kind, or false.
func Find(kind schema.GroupVersionKind) (Resource, bool) {
	all := Resources()
	i := slices.IndexFunc(all, func(r Resource) bool { return r.Subresource == "" && r.Sent == kind })
	if i < 0 {
		return Resource{}, false
	}
	return all[i], true
}

// Sub returns a subresource of a resource, or false.
func (r Resource) Sub(name string) (Resource, bool) {
	all := Resources()
	i := slices.IndexFunc(all, func(o Resource) bool {
		return o.GroupVersionResource == r.GroupVersionResource && o.Subresource == name
	})
	if i < 0 {
		return Resource{}, false
	}
	return all[i], true
}

// Subresources returns the names of all subresources, each once.
func Subresources() []string {
	var names []string
	for _, r := range Resources() {
		if r.Subresource != "" && !slices.Contains(names, r.Subresource) {
			names = append(names, r.Subresource)
		}
	}
	slices.Sort(names)
	return names
}

// SentTo returns the resources with a subresource of this name whose body has this kind.
func SentTo(subresource string, kind schema.GroupVersionKind) []Resource {
	var all []Resource
	for _, r := range Resources() {
		if r.Subresource == subresource && r.Sent == kind {
			all = append(all, r)
		}
	}
	return all
}

// Kind returns the kind of the resource's objects.
func (r Resource) Kind() schema.GroupVersionKind {
	main, _ := r.Sub("")
	return main.Sent
}
