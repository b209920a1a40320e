package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// header is the table's first lines, by which it is found on the page.
func header() string {
	titles, line := "| Kubernetes | etcd |", "|---|---|"
	for _, p := range parts() {
		titles += " " + p.name + " |"
		line += "---|"
	}
	return titles + " left out | tested on |\n" + line + "---|---|\n"
}

// unbuilt begins what the table says of a release that cannot be built.
const unbuilt = "**is not built**: "

// row is a line of the table.
func (v verdict) row(r release, when time.Time) string {
	cells := []string{r.kubernetes, r.etcd}
	for _, p := range parts() {
		switch failed := v.failed[p.name]; {
		case v.unbuilt != "":
			cells = append(cells, "not tested")
		case len(failed) > 0:
			cells = append(cells, "**fails**: `"+strings.Join(failed, "`, `")+"`")
		default:
			cells = append(cells, "passes")
		}
	}
	leftOut := strings.Join(v.leftOut, "; ")
	switch {
	case v.unbuilt != "":
		leftOut = unbuilt + "`" + v.unbuilt + "`"
	case leftOut == "":
		leftOut = "nothing"
	}
	cells = append(cells, leftOut, when.Format(time.DateOnly))
	for i := range cells {
		cells[i] = strings.ReplaceAll(cells[i], "|", `\|`)
	}
	return "| " + strings.Join(cells, " | ") + " |\n"
}

// rows are the lines of the table on a page, by the release, and what is before and after
// the table.
func rows(page string) (of map[string]string, before, after string, err error) {
	before, table, found := strings.Cut(page, header())
	if !found {
		return nil, "", "", fmt.Errorf("it has no table that begins with\n%s", header())
	}
	of = map[string]string{}
	for strings.HasPrefix(table, "| ") {
		line, rest, _ := strings.Cut(table, "\n")
		version, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " ")
		of[minor(version)] = line + "\n"
		table = rest
	}
	return of, before + header(), table, nil
}

// writeRow writes the row of one release. Those of others stay as they are, where they can
// still be built.
func writeRow(file string, all []release, r release, v verdict, when time.Time) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	of, before, after, err := rows(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	of[r.minor] = v.row(r, when)
	for _, r := range all {
		before += of[r.minor]
	}
	return os.WriteFile(file, []byte(before+after), 0o644)
}
