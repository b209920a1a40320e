package main

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

func TestDescribe(t *testing.T) {
	built := func(version string, settings ...string) *debug.BuildInfo {
		info := &debug.BuildInfo{Main: debug.Module{Version: version}}
		for i := 0; i < len(settings); i += 2 {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: settings[i], Value: settings[i+1]})
		}
		return info
	}
	suffix := "\ngo:      " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH + "\n"
	tests := []struct {
		release string
		info    *debug.BuildInfo
		want    string
	}{
		{"", nil, "version: unknown\ncommit:  unknown"},
		{"", built("(devel)"), "version: (devel)\ncommit:  unknown"},
		{"", built("v1.2.3", "vcs.revision", "abc", "vcs.modified", "false"), "version: v1.2.3\ncommit:  abc"},
		{"v9", built("v1.2.3", "vcs.revision", "abc", "vcs.modified", "true"), "version: v9\ncommit:  abc (modified)"},
	}
	for _, test := range tests {
		if got := describe(test.release, test.info); got != test.want+suffix {
			t.Errorf("got\n%s\nwant\n%s", got, test.want+suffix)
		}
	}
}

func TestVersionCommand(t *testing.T) {
	got := crosswalk(t, "", "version")
	if got.code != exitOK || !strings.HasPrefix(got.stdout, "version: "+version()+"\n") || got.stderr != "" {
		t.Errorf("got %+v", got)
	}
	crosswalk(t, "", "--version").expect(t, result{stdout: "crosswalk version " + version() + "\n"})
}
