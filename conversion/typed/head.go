package typed

import (
	"errors"
	"maps"
	"slices"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/plan"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/stash"
	"github.com/crosswalk-dev/crosswalk/conversion/internal/way"
)

// head is the metadata of an object that is converted.
type head struct {
	// meta is the metadata of the object, or nil.
	meta map[string]any
	// foreign are the stashes of versions other than the two of the conversion.
	foreign map[string]string
}

// readHead reads the metadata of an object of side from, and adds the stashes of the two versions
// to made.
func readHead(document map[string]any, made *way.Made, versions [2]string, from plan.Side) (*head, error) {
	h := &head{foreign: map[string]string{}}
	meta, there := document["metadata"]
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
		of := way.Stash{Name: []byte(name), Text: []byte(text)}
		switch owner, _ := stash.Owner(of.Name); {
		case name == stash.Incomplete:
			made.AddMark(of.Text, versions)
		case string(owner) == versions[from.Other()]:
			made.Stashes = append(made.Stashes, of)
		case string(owner) == versions[from]:
			made.Own = append(made.Own, of)
		default:
			h.foreign[name] = text
		}
	}
	return h, nil
}

// texts returns a map of strings of metadata.
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

// with returns a document that the code can convert.
func (h *head) with(view map[string]any, apiVersion, kind string) map[string]any {
	document := maps.Clone(view)
	document["apiVersion"], document["kind"] = apiVersion, kind
	meta := maps.Clone(h.meta)
	if meta == nil {
		meta = map[string]any{}
	}
	delete(meta, "managedFields") // the API server keeps it, and it is large
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

// metadata returns the metadata of the target, or nil.
func (h *head) metadata(target map[string]any) map[string]any {
	labels, annotations := textsOf(target, "labels"), maps.Clone(textsOf(target, "annotations"))
	for name, text := range h.foreign {
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
		return nil // a fragment that had metadata only for the stash
	}
	return meta
}
