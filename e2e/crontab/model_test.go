package crontab

import (
	"maps"
	"strings"
)

// model is what an object must look like in both versions after a sequence of
// edits, told without any annotation: the truth and two views of it.
type model struct {
	shared map[string]any // spec fields of both versions
	beta   map[string]any // spec fields of v1beta1 alone
	v1     map[string]any // spec fields of v1 alone
	// host and port are v1's, nil where absent. hostPort is v1beta1's where they
	// cannot say it, and nil otherwise.
	host, port, hostPort any
}

func newModel() *model {
	return &model{
		shared: map[string]any{"cronSpec": "0 2 * * *", "image": "example.com/backup:1.4"},
		beta:   map[string]any{},
		v1:     map[string]any{},
	}
}

// view is the spec in a version.
func (m *model) view(version string) map[string]any {
	view := maps.Clone(m.shared)
	set := func(key string, value any) {
		if value != nil {
			view[key] = value
		}
	}
	if version == "v1beta1" {
		maps.Copy(view, m.beta)
		set("hostPort", m.hostPort)
		if m.host != nil && m.port != nil {
			set("hostPort", m.host.(string)+":"+m.port.(string))
		}
		return view
	}
	maps.Copy(view, m.v1)
	set("host", m.host)
	set("port", m.port)
	return view
}

// edit sets one field of the spec through a version; nil removes it.
func (m *model) edit(version, field string, value any) {
	if m.view(version)[field] == value {
		return // nothing changes, so nothing that is kept is touched
	}
	switch field {
	case "host", "port":
		if field == "host" {
			m.host = value
		} else {
			m.port = value
		}
		m.hostPort = nil // the edit wins over what v1 could not see
	case "hostPort":
		m.host, m.port, m.hostPort = nil, nil, value
		if text, _ := value.(string); strings.Contains(text, ":") {
			at := strings.LastIndexByte(text, ':')
			m.host, m.port, m.hostPort = text[:at], text[at+1:], nil
		}
	case "shell":
		change(m.beta, field, value)
	case "timeZone", "notify":
		change(m.v1, field, value)
	default:
		change(m.shared, field, value)
	}
}

func change(in map[string]any, field string, value any) {
	if value == nil {
		delete(in, field)
		return
	}
	in[field] = value
}
