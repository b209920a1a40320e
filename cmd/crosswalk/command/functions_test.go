package command

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

// noteTables calls the function rot13.
const noteTables = "../../../examples/go/notes-crosswalk"

// reverses is a program with functions, rot13 among them: it turns texts around.
func reverses() Options {
	reverse := func(v conversion.Values) (conversion.Values, error) {
		text := slices.Clone(v[""])
		var plain string
		if err := json.Unmarshal(text, &plain); err != nil {
			return nil, err
		}
		runes := []rune(plain)
		slices.Reverse(runes)
		turned, err := json.Marshal(string(runes))
		return conversion.Values{"": turned}, err
	}
	return Options{Functions: conversion.Functions{"rot13": {ToHub: reverse, ToSpoke: reverse, Revision: "v1"}, "other": {}}}
}

func (o Options) crosswalk(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := o.run(t.Context(), args, strings.NewReader(stdin), &stdout, &stderr)
	return result{code, stdout.String(), stderr.String()}
}

const note = `{"apiVersion":"example.com/v1beta1","kind":"Note","metadata":{"name":"a"},"spec":{"secret":"abc"}}`

// Every command that compiles tables has the functions of the program.
func TestFunctions(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ args, stdin, want string }{
		{"convert --to v1", note, `{"apiVersion":"example.com/v1","kind":"Note","metadata":{"name":"a"},"spec":{"text":"cba"}}`},
		{"convert --to v1 --explain", note, `.spec.text  "cba"  v1beta1 row 1, from .spec.secret`},
		{"verify --cases 20 --samples -", note, " cases, and every law holds.\n"},
		{"admit -f -", note, ": allowed\n"},
		{"manifests", "", "path: /convert/"},
	} {
		command, rest, _ := strings.Cut(test.args, " ")
		args := append([]string{command, "--config", noteTables}, strings.Fields(rest)...)
		if got := reverses().crosswalk(t, test.stdin, args...); got.code != exitOK || !strings.Contains(got.stdout, test.want) {
			t.Errorf("%s: exit code %d, want %q in\n%s%s", test.args, got.code, test.want, got.stdout, got.stderr)
		}
		const missing = "func: this program does not have the Go function rot13; it has no functions; use a build of crosswalk that registers it"
		if got := crosswalk(t, test.stdin, args...); got.code != exitUsage || !strings.Contains(got.stderr, missing) {
			t.Errorf("%s without functions: exit code %d, want %q in\n%s", test.args, got.code, missing, got.stderr)
		}
	}
	got := crosswalk(t, "", "serve", "--config", noteTables, "--certs-dir", t.TempDir())
	if want := "func: this program does not have the Go function rot13; it has no functions"; got.code != exitUsage || !strings.Contains(got.stderr, want) {
		t.Errorf("serve without functions: exit code %d, want %q in\n%s", got.code, want, got.stderr)
	}
}

// A function that gives another result each time is found out.
func TestVerifyJudgesFunctions(t *testing.T) {
	t.Parallel()
	program := reverses()
	var calls atomic.Int64
	program.Functions["rot13"] = conversion.Function{
		ToHub: func(conversion.Values) (conversion.Values, error) {
			return conversion.Values{"": []byte(strconv.Quote(strconv.FormatInt(calls.Add(1), 10)))}, nil
		},
		ToSpoke: func(conversion.Values) (conversion.Values, error) { return nil, nil },
	}
	got := program.crosswalk(t, "", "verify", "--config", noteTables, "--cases", "20")
	if got.code != exitFailed || !strings.Contains(got.stdout, "  FAIL  L4 ") || !strings.Contains(got.stdout, "row 1") {
		t.Errorf("exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}
