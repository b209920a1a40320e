package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestDeployNamesTheVersionOfTheMakefile holds what is built and what is installed together.
func TestDeployNamesTheVersionOfTheMakefile(t *testing.T) {
	find := func(file, pattern string) string {
		content, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(pattern).FindAllSubmatch(content, -1)
		if len(found) != 1 {
			t.Fatalf("%s has %d lines like %s, not one", file, len(found), pattern)
		}
		return string(found[0][1])
	}
	version := find("Makefile", `(?m)^VERSION \?= (\S+)$`)
	for where, got := range map[string]string{
		"the tag in deploy/base":     find("deploy/base/kustomization.yaml", `(?m)^  newTag: (\S+) #`),
		"appVersion of deploy/chart": find("deploy/chart/Chart.yaml", `(?m)^appVersion: (\S+) #`),
		"version of deploy/chart":    "v" + find("deploy/chart/Chart.yaml", `(?m)^version: (\S+) #`),
	} {
		if got != version {
			t.Errorf("%s is %s, and make builds %s", where, got, version)
		}
	}
	if name, image := find("Makefile", `(?m)^IMAGE \?= (\S+)$`), find("deploy/base/kustomization.yaml", `(?m)^  newName: (\S+)$`); name != image {
		t.Errorf("deploy/base installs %s, and make builds %s", image, name)
	}
}
