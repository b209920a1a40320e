package stash

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
)

var errNaive = errors.New("no stash")

// naive reads a stash as Read does, with encoding/json and no thought of speed. It
// takes duplicate members and invalid UTF-8 for what encoding/json makes of them.
func naive(text []byte) (entries []Entry, table string, err error) {
	doc, err := naiveObject(text)
	if err != nil {
		return nil, "", err
	}
	if mark, ok := doc["table"]; ok {
		if table, err = naiveText(mark); err != nil {
			return nil, "", err
		}
	}
	list, err := naiveList(doc["entries"])
	if err != nil || string(doc["format"]) != "1" {
		return nil, "", errNaive
	}
	for _, one := range list {
		e, err := naiveEntry(one)
		if err != nil {
			return nil, "", err
		}
		whole := len(e.Value) == 0 || json.Unmarshal(e.Value, new(any)) == nil
		for _, item := range e.Order {
			whole = whole && (len(item.Value) == 0 || json.Unmarshal(item.Value, new(any)) == nil)
		}
		if whole {
			entries = append(entries, e)
		}
	}
	return entries, table, nil
}

func naiveEntry(text []byte) (e Entry, err error) {
	members, err := naiveObject(text, "at", "value", "guard", "order")
	if err != nil {
		return e, err
	}
	at, err := naiveList(members["at"])
	if err != nil || len(at) == 0 {
		return e, errNaive
	}
	for _, one := range at {
		s, err := naiveStep(one)
		if err != nil {
			return e, err
		}
		e.At = append(e.At, s)
	}
	e.Value = members["value"]
	if err := naiveBytes(&e.Guard, members, "guard"); err != nil {
		return e, err
	}
	order, ordered := members["order"]
	if !ordered {
		return e, nil
	}
	items, err := naiveList(order)
	if err != nil || e.Value != nil || e.Guard != nil {
		return e, errNaive
	}
	e.Order = []Item{}
	for _, one := range items {
		item, err := naiveItem(one)
		if err != nil {
			return e, err
		}
		e.Order = append(e.Order, item)
	}
	return e, nil
}

func naiveItem(text []byte) (item Item, err error) {
	if members, err := naiveObject(text, "value", "double"); err == nil && members["value"] != nil {
		double := members["double"]
		if double != nil && string(double) != "true" {
			err = errNaive
		}
		return Item{Value: members["value"], Double: double != nil}, err
	}
	if members, err := naiveObject(text, "rank", "step"); err == nil && len(members) == 2 {
		if item.Rank, err = strconv.Atoi(string(members["rank"])); err != nil || item.Rank <= 0 {
			return item, errNaive
		}
		if item.Step, err = naiveStep(members["step"]); err == nil && item.Step.Part != nil {
			err = errNaive
		}
		return item, err
	}
	if members, err := naiveObject(text, "part", "step"); err == nil && len(members) == 2 {
		if err := naiveBytes(&item.Part, members, "part"); err != nil {
			return item, err
		}
		if item.Step, err = naiveStep(members["step"]); err == nil && item.Step.Part != nil {
			err = errNaive
		}
		return item, err
	}
	if item.Step, err = naiveStep(text); err == nil && item.Step.Part != nil {
		err = errNaive
	}
	return item, err
}

func naiveStep(text []byte) (s Step, err error) {
	if name, err := naiveText(text); err == nil {
		return Step{Name: []byte(name)}, nil
	}
	for _, names := range [][]string{{"key", "there", "in", "of"}, {"part"}, {"content", "nth", "of", "live", "alike", "alikeOf", "full", "fullNth"}} {
		members, err := naiveObject(text, names...)
		if err != nil || members[names[0]] == nil {
			continue
		}
		s.Key, s.There = compact(members["key"]), compact(members["there"])
		for name, to := range map[string]*[]byte{"in": &s.In, "part": &s.Part, "content": &s.Content, "live": &s.Live, "full": &s.Full} {
			if err := naiveBytes(to, members, name); err != nil {
				return s, err
			}
		}
		for name, to := range map[string]*int{"nth": &s.Nth, "of": &s.Of, "alike": &s.Alike, "alikeOf": &s.AlikeOf, "fullNth": &s.FullNth} {
			if number, ok := members[name]; ok {
				if *to, err = strconv.Atoi(string(number)); err != nil || *to < 0 {
					return s, errNaive
				}
			}
		}
		if s.Of == 1 || s.Of > 0 && s.Content == nil && s.In == nil {
			return s, errNaive
		}
		return s, nil
	}
	return s, errNaive
}

// naiveObject reads an object that has no members but these, if there are any.
func naiveObject(text []byte, names ...string) (map[string]json.RawMessage, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil || members == nil {
		return nil, errNaive
	}
	known := map[string]bool{}
	for _, name := range names {
		known[name] = true
	}
	for name := range members {
		if len(names) > 0 && !known[name] {
			return nil, errNaive
		}
	}
	return members, nil
}

func naiveList(text []byte) ([]json.RawMessage, error) {
	var all []json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil || all == nil {
		return nil, errNaive
	}
	return all, nil
}

func naiveText(text []byte) (string, error) {
	var s *string
	if err := json.Unmarshal(text, &s); err != nil || s == nil {
		return "", errNaive
	}
	return *s, nil
}

func naiveBytes(to *[]byte, members map[string]json.RawMessage, name string) error {
	text, ok := members[name]
	if !ok {
		return nil
	}
	s, err := naiveText(text)
	*to = append(bytes.Clone([]byte{}), s...)
	if *to == nil {
		*to = []byte{}
	}
	return err
}
