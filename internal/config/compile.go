package config

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// Compile compiles every table, in the order of Tables. The error is [Errors], with the
// problems of all tables.
func (c *Config) Compile(options ...conversion.Option) ([]*conversion.Converter, error) {
	var converters []*conversion.Converter
	var failed Errors
	for _, table := range c.Tables {
		converter, err := conversion.Compile(table.CRD, table.Crosswalk, options...)
		var problems conversion.Problems
		switch {
		case errors.As(err, &problems):
			for _, problem := range problems {
				at := table.Source
				at.Line = table.Line(problem.Version, problem.Row)
				if field := table.node.Get("spec").Get(problem.Field); field != nil {
					at.Line = field.Line
				}
				failed = append(failed, at.fail(problem))
			}
		case err != nil:
			failed = append(failed, table.Source.fail(err))
		}
		converters = append(converters, converter)
	}
	if len(failed) > 0 {
		return nil, failed
	}
	return converters, nil
}

// Line returns the line of a row, named as in conversion.Problem, or of the nearest node. The
// version is the spoke.
func (t Table) Line(spoke, row string) int {
	at, shared := t.node, t.node.Get("spec").Get("tables")
	for _, version := range items(at.Get("spec").Get("versions")) {
		if version.GetString("name") == spoke {
			at = version
		}
	}
	// A row within a row is named "row 4, each row 1", after the mapping that has it. A row of
	// a named table is named "table route row 2".
	named := ""
	if rest, ok := strings.CutPrefix(row, "table "); ok {
		named, _, _ = strings.Cut(rest, " ")
	}
	for _, number := range regexp.MustCompile(`(\w*) ?row (\d+)`).FindAllStringSubmatch(row, -1) {
		if mapping := inner(at, number[1]); mapping != nil && named == "" {
			at = mapping
		}
		rows := items(at.Get("rows"))
		if named != "" {
			if rows = items(at.Get("tables").Get(named)); rows == nil {
				rows = items(shared.Get(named))
			}
			named = ""
		}
		i, err := strconv.Atoi(number[2])
		if err != nil || i < 1 || i > len(rows) {
			break
		}
		at = rows[i-1]
	}
	return at.Line
}

// inner returns the node that has rows within a row: a mapping, or a part of a place in where.
func inner(row *manifest.Node, name string) *manifest.Node {
	for _, part := range items(row.Get("where")) {
		if name != "" && part.GetString("place") == name {
			return part
		}
	}
	return row.Get(name)
}

func items(n *manifest.Node) []*manifest.Node {
	if n == nil {
		return nil
	}
	return n.Items
}
