package command

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion"
)

func TestDescribe(t *testing.T) {
	built := func(version string, settings ...string) *debug.BuildInfo {
		info := &debug.BuildInfo{Main: debug.Module{Version: version}}
		for i := 0; i < len(settings); i += 2 {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: settings[i], Value: settings[i+1]})
		}
		return info
	}
	suffix := "\ngo:         " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH + "\n"
	onCrosswalk := built("v0.1.0")
	onCrosswalk.Deps = []*debug.Module{
		{Path: "example.com/other", Version: "v7"}, {Path: "github.com/crosswalk-dev/crosswalk", Version: "v1.2.3"},
		{Path: "k8s.io/api", Version: "v0.35.0"}, {Path: "k8s.io/apiserver", Version: "v0.36.3"},
	}
	tests := []struct {
		program Options
		info    *debug.BuildInfo
		want    string
		more    string
	}{
		{Options{}, nil, "version:    unknown\ncommit:     unknown\nkubernetes: unknown", ""},
		{Options{}, built("(devel)"), "version:    (devel)\ncommit:     unknown\nkubernetes: unknown", ""},
		{Options{}, built("v1.2.3", "vcs.revision", "abc", "vcs.modified", "false"), "version:    v1.2.3\ncommit:     abc\nkubernetes: unknown", ""},
		{Options{Version: "v9"}, built("v1.2.3", "vcs.revision", "abc", "vcs.modified", "true"), "version:    v9\ncommit:     abc (modified)\nkubernetes: unknown", ""},
		{Options{Functions: conversion.Functions{"rot13": {Revision: "v2"}, "join": {}}}, onCrosswalk, "version:    v0.1.0\ncommit:     unknown\nkubernetes: v1.36.3", "built on crosswalk v1.2.3\nfunctions: join, rot13 v2\n"},
	}
	for _, test := range tests {
		if got, want := test.program.describe(test.info), test.want+suffix+test.more; got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

func TestVersionCommand(t *testing.T) {
	got := crosswalk(t, "", "version")
	if got.code != exitOK || !strings.HasPrefix(got.stdout, "version:    "+Options{}.version()+"\n") || got.stderr != "" {
		t.Errorf("got %+v", got)
	}
	crosswalk(t, "", "--version").expect(t, result{stdout: "crosswalk version " + Options{}.version() + "\n"})
}
