package typed

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
)

// head is the metadata of an object on its way.
type head struct {
	// meta is the object's own, nil where it has none.
	meta map[string]any
	// foreign are our annotations about versions that are not part of this step.
	foreign map[string]string
	// kept is what the target's own stash holds.
	kept []stash.Entry
	// left are the places of what has no room in annotations.
	left [][]stash.Step
}

func readHead(source map[string]any, from, to string, notes *conversion.Notes) (*head, error) {
	h := &head{foreign: map[string]string{}}
	meta, there := source["metadata"]
	if !there {
		return h, nil
	}
	var ok bool
	if h.meta, ok = meta.(map[string]any); !ok {
		return nil, errors.New("its metadata is no object")
	}
	if _, err := texts(h.meta, "labels"); err != nil {
		return nil, err
	}
	annotations, err := texts(h.meta, "annotations")
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(annotations)) {
		if !stash.IsOurs(name) {
			continue
		}
		text := annotations[name].(string)
		owner, isStash := stash.Owner([]byte(name))
		switch {
		case !isStash:
			if rest := others(text, from, to); rest != "" {
				h.foreign[name] = rest
			}
		case string(owner) == to:
			entries, _, err := stash.Read(nil, []byte(text))
			if err != nil {
				notes.IgnoredStashes++
				continue
			}
			h.kept = append(h.kept, stash.Filed(name, entries)...)
		case string(owner) != from:
			h.foreign[name] = text
		}
	}
	return h, nil
}

// texts is a map of strings in metadata.
func texts(meta map[string]any, name string) (map[string]any, error) {
	value, there := meta[name]
	if !there {
		return nil, nil
	}
	m, ok := value.(map[string]any)
	if !ok {
		return nil, errors.New("its metadata." + name + " are no map")
	}
	for _, text := range m {
		if _, ok := text.(string); !ok {
			return nil, errors.New("its metadata." + name + " are not all strings")
		}
	}
	return m, nil
}

// with is a document that the code can convert.
func (h *head) with(view map[string]any, apiVersion, kind string) map[string]any {
	document := maps.Clone(view)
	document["apiVersion"], document["kind"] = apiVersion, kind
	meta := maps.Clone(h.meta)
	if meta == nil {
		meta = map[string]any{}
	}
	delete(meta, "managedFields") // the API server's own, and the most of it
	for _, name := range mapped {
		if delete(meta, name); len(textsOf(view, name)) > 0 {
			meta[name] = textsOf(view, name)
		}
	}
	if document["metadata"] = meta; h.meta == nil && len(meta) == 0 {
		delete(document, "metadata")
	}
	return document
}

// others is what a mark of what was left out says about versions that are not part
// of this step.
func others(mark, from, to string) string {
	var rest []string
	for part := range strings.SplitSeq(mark, "; ") {
		if owner, _, _ := strings.Cut(part, ": "); owner != from && owner != to {
			rest = append(rest, part)
		}
	}
	return strings.Join(rest, "; ")
}

// metadata is that of the target, with a stash for what only the source has.
func (h *head) metadata(from string, target map[string]any, entries []stash.Entry, notes *conversion.Notes) map[string]any {
	labels, annotations := textsOf(target, "labels"), textsOf(target, "annotations")
	for name, text := range h.stashes(from, annotations, entries, notes) {
		annotations[name] = text
	}
	if h.meta == nil && len(annotations) == 0 && len(labels) == 0 {
		return nil
	}
	meta := maps.Clone(h.meta)
	if meta == nil {
		meta = map[string]any{}
	}
	for name, m := range map[string]map[string]any{"labels": labels, "annotations": annotations} {
		before, _ := h.meta[name].(map[string]any)
		if delete(meta, name); len(m) > 0 || before != nil && len(before) == 0 {
			meta[name] = m
		}
	}
	if len(meta) == 0 && len(h.meta) > 0 {
		return nil // a fragment that had metadata for the stash alone
	}
	return meta
}
