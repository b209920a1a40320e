package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// release is one of Kubernetes that the control plane is built of.
type release struct {
	minor            string // such as 1.35
	kubernetes, etcd string // such as 1.35.4
	// own is that of controlplane/go.mod, on which every change is tested. Its programs are
	// in bin itself.
	own bool
}

// releases are those of the files of versions in controlplane, newest first.
func releases(root string) ([]release, error) {
	files, err := filepath.Glob(filepath.Join(root, "e2e", "controlplane", "*.mod"))
	if err != nil {
		return nil, err
	}
	var all []release
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		r := release{kubernetes: versionIn(text, "k8s.io/kubernetes"), etcd: versionIn(text, "go.etcd.io/etcd/server/v3"), own: filepath.Base(file) == "go.mod"}
		if r.kubernetes == "" || r.etcd == "" {
			return nil, fmt.Errorf("%s names no version of Kubernetes, or none of etcd", file)
		}
		r.minor = minor(r.kubernetes)
		if want := "kubernetes-" + r.minor + ".mod"; !r.own && filepath.Base(file) != want {
			return nil, fmt.Errorf("%s is of Kubernetes %s: its name should be %s", file, r.kubernetes, want)
		}
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b release) int { return b.number() - a.number() })
	return all, nil
}

// number is 35 of 1.35.
func (r release) number() int {
	_, number, _ := strings.Cut(r.minor, ".")
	n, err := strconv.Atoi(number)
	if err != nil {
		panic(r.minor + " is no release of Kubernetes")
	}
	return n
}

// versionIn is that of a module in a go.mod, without its v, or empty.
func versionIn(goMod []byte, module string) string {
	line := regexp.MustCompile(`(?m)^(?:require)?\s+` + regexp.QuoteMeta(module) + ` v([0-9]+\.[0-9]+\.[0-9]+)\b`)
	if found := line.FindSubmatch(goMod); found != nil {
		return string(found[1])
	}
	return ""
}

// minor is 1.35 of 1.35.4.
func minor(version string) string { return version[:max(0, strings.LastIndex(version, "."))] }

func minors(all []release) []string {
	var names []string
	for _, r := range all {
		names = append(names, r.minor)
	}
	return names
}
