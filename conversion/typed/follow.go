package typed

import (
	"maps"
	"slices"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// A view is what the code may change in an object: everything but its type and, of its metadata,
// only labels and annotations. These two are always present, possibly empty, and without
// Crosswalk's own annotations.

// mapped are the members of metadata that the API server takes from the result of a conversion
// (restoreObjectMeta in
// k8s.io/apiextensions-apiserver/pkg/apiserver/conversion/webhook_converter.go). All others stay as
// they are in the source.
var mapped = [...]string{"labels", "annotations"}

// maxAnnotations is how many bytes the names and values of all annotations may have. The API server
// allows 256 KiB (TotalAnnotationSizeLimitB in k8s.io/apimachinery/pkg/api/validation), and some
// are for stashes.
const maxAnnotations = 252 << 10

// body returns an object without the members that the API server keeps.
func body(document map[string]any) map[string]any {
	b := make(map[string]any, len(document))
	for name, value := range document {
		if name != "apiVersion" && name != "kind" && name != "metadata" {
			b[name] = value
		}
	}
	return b
}

// member returns a member of an object.
func member(m map[string]any, name string) any {
	if value, there := m[name]; there {
		return value
	}
	return nothing{}
}

// viewOf returns the view of a document.
func viewOf(document map[string]any) map[string]any {
	metadata, _ := document["metadata"].(map[string]any)
	return withMapped(body(document), metadata["labels"], metadata["annotations"])
}

func withMapped(view map[string]any, labels, annotations any) map[string]any {
	metadata := map[string]any{}
	for i, v := range []any{labels, annotations} {
		texts, _ := v.(map[string]any)
		texts = maps.Clone(texts)
		if texts == nil {
			texts = map[string]any{}
		}
		maps.DeleteFunc(texts, func(name string, _ any) bool { return stash.IsOurs(name) })
		metadata[mapped[i]] = texts
	}
	view["metadata"] = metadata
	return view
}

// textsOf returns the labels or the annotations of a view.
func textsOf(view map[string]any, name string) map[string]any {
	return view["metadata"].(map[string]any)[name].(map[string]any)
}

// follow sets the labels and annotations of made, which the code has made of a view. back returns
// what the code makes of made on the way back.
//
// Labels and annotations that the code adds are kept. If the code has removed one, it may have
// moved the value to a field, or it may copy only the name of the object. So it stays removed only
// if the code restores it on the way back. A changed value is kept only if the way back restores
// the old one. All others stay as they are in the source.
func follow(view, made map[string]any, back func() map[string]any) {
	type doubt struct{ of, name string }
	var doubts []doubt
	for _, of := range mapped {
		is, now := textsOf(view, of), textsOf(made, of)
		removeRefused(of, is, now)
		for _, name := range slices.Sorted(maps.Keys(is)) {
			if now[name] != is[name] {
				doubts = append(doubts, doubt{of, name})
			}
		}
	}
	if len(doubts) == 0 {
		return
	}
	again := back()
	for _, d := range doubts {
		is, now := textsOf(view, d.of), textsOf(made, d.of)
		restored, known := textsOf(again, d.of)[d.name]
		if _, there := now[d.name]; there && restored != is[d.name] || !known {
			now[d.name] = is[d.name]
		}
	}
}

// removeRefused removes labels or annotations that the code has made, and for which the API server
// would reject the whole object: values that are no text, invalid names or values, and annotations
// that take too much room.
func removeRefused(of string, is, now map[string]any) {
	total := sizeOf(is)
	for _, name := range slices.Sorted(maps.Keys(now)) {
		was, there := is[name]
		if there && was == now[name] {
			continue
		}
		grown := total + sizeOf(map[string]any{name: now[name]})
		if there {
			grown -= sizeOf(map[string]any{name: was})
		}
		if !valid(of, name, now[name]) || of == "annotations" && grown > maxAnnotations {
			delete(now, name)
			continue
		}
		total = grown
	}
}

// valid reports whether the API server accepts a label or an annotation.
func valid(of, name string, v any) bool {
	text, ok := v.(string)
	if !ok {
		return false
	}
	one := map[string]string{name: text}
	if of == "labels" {
		return len(metav1validation.ValidateLabels(one, nil)) == 0
	}
	return len(apivalidation.ValidateAnnotations(one, nil)) == 0
}

func sizeOf(texts map[string]any) int {
	total := 0
	for name, text := range texts {
		text, _ := text.(string)
		total += len(name) + len(text)
	}
	return total
}
