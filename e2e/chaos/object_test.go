package chaos

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/crosswalk-dev/crosswalk/e2e/internal/exact"
)

// object is an object of a table, and what it must look like.
type object struct {
	table table
	name  string
	// states are what it may be: more than one after a write whose outcome nobody
	// was told. Each read leaves one.
	states []state
}

// state is the truth of an object, of which each version shows a part.
type state struct {
	image, shell, timeZone string
	host                   string // and port; empty where absent
	port, replicas         int
}

// spec is the spec in a version.
func (s state) spec(version string) map[string]any {
	spec := map[string]any{"cronSpec": "0 2 * * *", "image": s.image, "replicas": json.Number(strconv.Itoa(s.replicas))}
	set := func(key, value string) {
		if value != "" {
			spec[key] = value
		}
	}
	port := strconv.Itoa(s.port)
	if version == "v1beta1" {
		set("shell", s.shell)
		if s.host != "" {
			spec["hostPort"] = s.host + ":" + port
		}
		return spec
	}
	set("timeZone", s.timeZone)
	if s.host != "" {
		spec["host"], spec["port"] = s.host, port
	}
	return spec
}

// versions are those of the example.
func versions() []string { return []string{"v1beta1", "v1"} }

// create creates an object through a version.
func create(ctx context.Context, t table, name, version string) (*object, error) {
	o := &object{table: t, name: name, states: []state{firstState()}}
	body, err := json.Marshal(map[string]any{
		"apiVersion": t.CRD.Spec.Group + "/" + version, "kind": "CronTab",
		"metadata": map[string]any{"name": name}, "spec": o.states[0].spec(version),
	})
	if err != nil {
		return nil, err
	}
	_, err = t.in(version).Create(ctx, body)
	return o, err
}

// write changes one field through a version. The outcome of a write that fails is
// unknown: the API server may have stored the object before it failed to convert
// it for the answer.
func (o *object) write(ctx context.Context, random *rand.Rand, version string) error {
	n := random.IntN(1000)
	var patch map[string]any
	var change func(*state)
	switch field := random.IntN(4); {
	case field == 0:
		image := fmt.Sprintf("example.com/backup:%d", n)
		patch, change = map[string]any{"image": image}, func(s *state) { s.image = image }
	case field == 1:
		host, port := fmt.Sprintf("h%d.example.com", n), strconv.Itoa(n)
		patch, change = map[string]any{"host": host, "port": port}, func(s *state) { s.host, s.port = host, n }
		if version == "v1beta1" {
			patch = map[string]any{"hostPort": host + ":" + port}
		}
	case field == 2:
		patch, change = map[string]any{"replicas": 1 + n%10}, func(s *state) { s.replicas = 1 + n%10 }
	case version == "v1beta1":
		shell := fmt.Sprintf("/bin/sh%d", n)
		patch, change = map[string]any{"shell": shell}, func(s *state) { s.shell = shell }
	default:
		zone := fmt.Sprintf("Etc/GMT-%d", n)
		patch, change = map[string]any{"timeZone": zone}, func(s *state) { s.timeZone = zone }
	}
	body, err := json.Marshal(map[string]any{"spec": patch})
	if err != nil {
		return err
	}
	after := slices.Clone(o.states)
	for i := range after {
		change(&after[i])
	}
	_, err = o.table.in(version).MergePatch(ctx, o.name, string(body))
	if err != nil {
		after = append(o.states, after...)
	}
	o.states = nil
	for _, s := range after {
		if !slices.Contains(o.states, s) {
			o.states = append(o.states, s)
		}
	}
	return err
}

// errLost says that an object does not read as it was written.
var errLost = errors.New("an object does not read as it was written")

// check reads the object in a version. Errors other than errLost say that it
// could not be read.
func (o *object) check(ctx context.Context, version string) error {
	data, err := o.table.in(version).Get(ctx, o.name)
	if isStatus(err, 404) {
		return fmt.Errorf("%w: %w", errLost, err)
	}
	if err != nil {
		return err
	}
	return o.compare(data, version)
}

// compare holds what was read against the states, of which one remains.
func (o *object) compare(data []byte, version string) error {
	value, err := exact.Decode(data)
	if err != nil {
		return err
	}
	spec, _ := exact.At(value, "spec")
	diff := ""
	var fits []state
	for _, s := range o.states {
		d := exact.Diff(spec, map[string]any(maps.Clone(s.spec(version))))
		if d == "" {
			fits = append(fits, s)
		} else {
			diff += d + "\n"
		}
	}
	if len(fits) == 0 {
		return fmt.Errorf("%w: %s %s in %s:\n%s%s", errLost, o.table.name(), o.name, version, diff, data)
	}
	o.states = fits
	return nil
}

// checkAll reads the object in all versions.
func (o *object) checkAll(ctx context.Context) error {
	for _, version := range versions() {
		if err := o.check(ctx, version); err != nil {
			return err
		}
	}
	return nil
}
