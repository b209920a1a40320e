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
	// labels and annotations are those of everybody but us.
	labels, annotations map[string]any
	// foreign are our annotations about versions that are not part of this step.
	foreign map[string]string
	// kept is what the target's own stash holds.
	kept []stash.Entry
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
	var err error
	if h.labels, err = texts(h.meta, "labels"); err != nil {
		return nil, err
	}
	if h.annotations, err = texts(h.meta, "annotations"); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(h.annotations)) {
		if !stash.IsOurs(name) {
			continue
		}
		text := h.annotations[name].(string)
		delete(h.annotations, name)
		owner, isStash := stash.Owner([]byte(name))
		switch {
		case !isStash:
			if rest := others(text, from, to); rest != "" {
				h.foreign[name] = rest
			}
		case string(owner) == to:
			entries, err := stash.Read(nil, []byte(text))
			if err != nil {
				notes.IgnoredStashes++
				continue
			}
			h.kept = append(h.kept, entries...)
		case string(owner) != from:
			h.foreign[name] = text
		}
	}
	return h, nil
}

// texts copies a map of strings from metadata.
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
	return maps.Clone(m), nil
}

// with is a document that the code can convert.
func (h *head) with(body map[string]any, apiVersion, kind string) map[string]any {
	document := maps.Clone(body)
	document["apiVersion"], document["kind"] = apiVersion, kind
	if h.meta != nil {
		meta := maps.Clone(h.meta)
		delete(meta, "managedFields") // the API server's own, and the most of it
		for name, m := range map[string]map[string]any{"labels": h.labels, "annotations": h.annotations} {
			if delete(meta, name); len(m) > 0 {
				meta[name] = m
			}
		}
		document["metadata"] = meta
	}
	return document
}

// follow takes over what the code has made of labels and annotations. One that has
// copied nothing of the metadata has forgotten to, and means nothing by it.
func (h *head) follow(made map[string]any) {
	meta, _ := made["metadata"].(map[string]any)
	if meta["creationTimestamp"] == nil {
		delete(meta, "creationTimestamp") // what ObjectMeta writes when it is empty
	}
	if len(meta) == 0 {
		return
	}
	h.labels, _ = meta["labels"].(map[string]any)
	h.annotations, _ = meta["annotations"].(map[string]any)
	maps.DeleteFunc(h.annotations, func(name string, _ any) bool { return stash.IsOurs(name) })
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
func (h *head) metadata(from string, entries []stash.Entry, notes *conversion.Notes) map[string]any {
	annotations := h.annotations
	ours := h.stashes(from, entries, notes)
	if len(ours) > 0 && annotations == nil {
		annotations = map[string]any{}
	}
	for name, text := range ours {
		annotations[name] = text
	}
	if h.meta == nil && len(annotations) == 0 && len(h.labels) == 0 {
		return nil
	}
	meta := maps.Clone(h.meta)
	if meta == nil {
		meta = map[string]any{}
	}
	for name, m := range map[string]map[string]any{"labels": h.labels, "annotations": annotations} {
		before, _ := h.meta[name].(map[string]any)
		if delete(meta, name); len(m) > 0 || m != nil && before != nil && len(before) == 0 {
			meta[name] = m
		}
	}
	if len(meta) == 0 && len(h.meta) > 0 {
		return nil // a fragment that had metadata for the stash alone
	}
	return meta
}
