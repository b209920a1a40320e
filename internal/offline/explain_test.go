package offline

import (
	"encoding/json"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// The text has every kind of explanation, and combines the elements of a list with the same one.
func TestExplainText(t *testing.T) {
	raw := func(text string) json.RawMessage { return json.RawMessage(text) }
	first := conversion.Step{From: "v1beta1", To: "v1", Rows: "v1beta1"}
	first.Origins = []conversion.Origin{
		{Path: ".kind", By: conversion.BySame},
		{Path: ".metadata.name", By: conversion.BySame},
		{Path: ".spec.host", By: conversion.ByRow, Row: "row 1", From: []string{".spec.hostPort"}, Value: raw(`"example.com"`)},
		{Path: ".spec.image", By: conversion.ByRow, Row: "row 2", From: []string{".spec.repository", ".spec.tag"}, Value: raw(`"registry.example.com/a/long/name:1.2.3"`)},
		{Path: ".spec.policy", By: conversion.ByAbsence, Row: "row 3", From: []string{".spec.mode"}, Value: raw(`"Parallel"`)},
		{Path: ".spec.level", By: conversion.ByDefault, Value: raw(`3`)},
		{Path: ".spec.fixed", By: conversion.ByConstant, Row: "row 4", Value: raw(`"x"`)},
		{Path: ".spec.timeZone", By: conversion.ByStash, Value: raw(`"UTC"`)},
		{Path: ".spec.token", By: conversion.ByRow, Row: "row 5", From: []string{".spec.secret"}, Sensitive: true},
		{Path: ".metadata.annotations['a-rather-long-prefix.example.com/owner']", By: conversion.ByRow, Row: "row 6", From: []string{".spec.owner"}, Value: raw(`"me"`)},
	}
	first.Origins = append(first.Origins, conversion.Origin{Path: ".spec.kind", By: conversion.ByRow, Row: "row 11", Value: raw(`"x"`)})
	for _, at := range []string{"[0]", "[1]", "[2]", "[3]"} {
		first.Origins = append(first.Origins,
			conversion.Origin{Path: ".spec.tasks" + at + ".line", By: conversion.ByRow, Row: "row 7, each row 1", From: []string{".spec.jobs" + at + ".cmd"}, Value: raw(`"x"`)},
			conversion.Origin{Path: ".spec.tasks" + at + ".env", By: conversion.BySame})
	}
	first.Uncomputed = []conversion.Uncomputed{{Path: ".spec.summary", Row: "row 12", Needs: "a value that the expression can convert; error: no such key: owner"}}
	first.Kept = []conversion.Kept{
		{Path: ".spec.only", Why: conversion.WhyPrivate, Value: raw(`{"a":1}`)},
		{Path: ".spec.hostPort", Why: conversion.WhyUnmapped, Row: "row 1", Needs: `text of the form "{host}:{port}"`, Value: raw(`"h"`)},
		{Path: ".spec.num", Why: conversion.WhyUnmapped, Value: raw(`"10%"`)},
		{Path: ".spec.mode", Why: conversion.WhyInexact, Row: "row 3", Value: raw(`"Forbid"`), Back: raw(`"Deny"`)},
		{Path: ".spec.zero", Why: conversion.WhyInexact, Row: "row 8", Value: raw(`0`)},
		{Path: ".spec.mode2", Why: conversion.WhyAbsent, Row: "row 3", Back: raw(`"Allow"`)},
		{Path: ".spec.none", Why: conversion.WhyAbsent},
		{Path: ".spec.hid", Why: conversion.WhyAbsent, Row: "row 13"},
		{Path: ".spec.env", Why: conversion.WhyOrder, Row: "row 9"},
		{Path: ".spec.group", Why: conversion.WhyShape, Value: raw(`{}`)},
		{Path: ".spec.large", Why: conversion.WhyPrivate, Value: raw(`"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"`), LeftOut: true},
	}
	first.Dropped = []conversion.Dropped{{Path: ".spec.gone", Row: "row 10", Reason: "nobody reads it"}}
	first.Unused = []conversion.Unused{{Path: ".spec.timeout", Reason: ".spec.seconds was edited, and the edit takes precedence"}}
	second := conversion.Step{From: "v1", To: "v2", Rows: "v2"}
	second.Origins = []conversion.Origin{{Path: ".spec.host", By: conversion.BySame}}
	e := Explained{"a.yaml", &conversion.Explanation{Kind: "CronTab", Namespace: "default", Name: "nightly", From: "v1beta1", To: "v2", Steps: []conversion.Step{first, second}}}
	want := `a.yaml: CronTab default/nightly: v1beta1 to v2

from v1beta1 to v1
written in v1:
  .spec.host           "example.com"                     v1beta1 row 1, from .spec.hostPort
  .spec.image          "registry.example.com/a/long/na…  v1beta1 row 2, from .spec.repository and .spec.tag
  .spec.policy         "Parallel"                        v1beta1 row 3, as nothing is at .spec.mode
  .spec.level          3                                 default of the v1 schema
  .spec.fixed          "x"                               constant of v1beta1 row 4
  .spec.timeZone       "UTC"                             kept for v1, and restored
  .spec.token          (sensitive)                       v1beta1 row 5, from .spec.secret
  .metadata.annotations['a-rather-long-prefix.example.com/owner']  "me"                              v1beta1 row 6, from .spec.owner
  .spec.kind           "x"                               v1beta1 row 11
  .spec.tasks[*].line  4 times                           v1beta1 row 7, each row 1, from .spec.jobs[*].cmd
not computed in v1:
  .spec.summary  v1beta1 row 12 needs a value that the expression can convert; error: no such key: owner; if that may be absent, write .?owner
the same in both versions:
  .kind, .metadata.name, .spec.tasks[*].env
kept for v1beta1 in the annotation stash.crosswalk.dev/v1beta1:
  .spec.only      {"a":1}                           v1 has no such field
  .spec.hostPort  "h"                               v1beta1 row 1 can't map it: it needs text of the form "{host}:{port}"
  .spec.num       "10%"                             v1 can't map it
  .spec.mode      "Forbid"                          v1beta1 row 3 converts it back to "Deny"
  .spec.zero      0                                 v1beta1 row 8 converts it back to nothing
  .spec.mode2                                       the field is absent, but on the way back v1beta1 row 3 gives "Allow"
  .spec.none                                        the field is absent
  .spec.hid                                         the field is absent, but on the way back v1beta1 row 13 gives something
  .spec.env                                         v1 can't represent this order, or all of the elements
  .spec.group     {}                                v1 can't represent it
  .spec.large     "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…  v1 has no such field; LOST, because annotations have no room for it
dropped on purpose:
  .spec.gone  v1beta1 row 10: nobody reads it
not used of what was kept for v1:
  .spec.timeout  .spec.seconds was edited, and the edit takes precedence

from v1 to v2
the same in both versions:
  .spec.host
`
	if got := e.Text(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	e = Explained{"-", &conversion.Explanation{Kind: "CronTab", From: "v1", To: "v2", Steps: []conversion.Step{second}}}
	if got, want := e.Text(), "-: CronTab without a name: v1 to v2\nthe same in both versions:\n  .spec.host\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Where Go code converts, there are no rows to name, and its errors are told first.
func TestExplainTextOfCode(t *testing.T) {
	step := conversion.Step{From: "v1", To: "v2", Code: &conversion.Code{Error: "no target", BackError: "no source"}}
	step.Origins = []conversion.Origin{{Path: ".spec.a", By: conversion.ByCode, Value: json.RawMessage("1")}, {Path: ".spec.b", By: conversion.ByStash, Value: json.RawMessage("2")}}
	step.Kept = []conversion.Kept{
		{Path: ".spec.c", Why: conversion.WhyUnmapped, Value: json.RawMessage("3")},
		{Path: ".spec.d", Why: conversion.WhyInexact, Value: json.RawMessage("4"), Back: json.RawMessage("5")},
		{Path: ".spec.e", Why: conversion.WhyAbsent, Back: json.RawMessage("6")},
	}
	e := Explained{"a.yaml", &conversion.Explanation{Kind: "Box", Name: "a", From: "v1", To: "v2", Steps: []conversion.Step{step}}}
	want := `a.yaml: Box a: v1 to v2
the code failed for v2: no target
the code failed for v1 on the way back: no source
written in v2:
  .spec.a  1  the code
  .spec.b  2  kept for v2, and restored
kept for v1 in the annotation stash.crosswalk.dev/v1:
  .spec.c  3  the code can't map it
  .spec.d  4  the code converts it back to 5
  .spec.e     the field is absent, but on the way back the code gives 6
`
	if got := e.Text(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
