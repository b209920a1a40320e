package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	apitesting "k8s.io/kubernetes/pkg/api/testing"
	_ "k8s.io/kubernetes/pkg/controlplane" // which installs all groups
	kjson "sigs.k8s.io/json"
)

// writeRead writes, for every kind of Kubernetes, objects at random and what the API
// server has once it has read them: a line with apiVersion and kind, the object as it is
// sent, and the object as it is read.
func writeRead(out io.Writer, count int, seed int64) error {
	for _, kind := range builtinKinds() {
		fill := fuzzer.FuzzerFor(fuzzer.MergeFuzzerFuncs(apitesting.FuzzerFuncs, ownFuncs), rand.NewSource(seed), legacyscheme.Codecs).NumElements(0, 3).NilChance(0.3)
		h := holes{rand.New(rand.NewSource(seed))}
		for range count {
			typed, err := legacyscheme.Scheme.New(kind)
			if err != nil {
				return err
			}
			fill.Fill(typed)
			sent, err := h.sent(kind, typed)
			if err != nil {
				return err
			}
			got, err := read(kind, sent)
			if err != nil {
				continue // refused: chance makes selectors that are none
			}
			if _, err := fmt.Fprintf(out, "%s %s\n%s\n%s\n", kind.GroupVersion(), kind.Kind, sent, got); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeEquivalents writes objects at random of the kinds that the API server serves in
// several groups or versions: a line with apiVersion and kind, and the apiVersion of the
// other one; the object as it is read; and what it is there.
func writeEquivalents(out io.Writer, count int, seed int64) error {
	for _, pair := range [][2]schema.GroupVersionKind{
		{{Group: "autoscaling", Version: "v1", Kind: "HorizontalPodAutoscaler"}, {Group: "autoscaling", Version: "v2", Kind: "HorizontalPodAutoscaler"}},
		{{Version: "v1", Kind: "Event"}, {Group: "events.k8s.io", Version: "v1", Kind: "Event"}},
	} {
		for _, to := range []int{1, 0} {
			from, to := pair[1-to], pair[to]
			fill := fuzzer.FuzzerFor(fuzzer.MergeFuzzerFuncs(apitesting.FuzzerFuncs, ownFuncs), rand.NewSource(seed), legacyscheme.Codecs).NumElements(0, 3).NilChance(0.3)
			h := holes{rand.New(rand.NewSource(seed))}
			for i := range count {
				typed, err := legacyscheme.Scheme.New(from)
				if err != nil {
					return err
				}
				fill.Fill(typed)
				sent, err := h.sent(from, typed)
				if err != nil {
					return err
				}
				internal, err := internalOf(from, sent)
				if err != nil {
					continue // refused: chance makes selectors that are none
				}
				if i%2 == 0 {
					// What comes from the other one has what that puts into annotations.
					text, err := external(to, internal)
					if err != nil {
						return err
					}
					if internal, err = internalOf(to, text); err != nil {
						return err
					}
				}
				shown, err := external(from, internal)
				if err != nil {
					return err
				}
				if internal, err = internalOf(from, shown); err != nil {
					return err
				}
				want, err := external(to, internal)
				if err != nil {
					return err
				}
				if _, err := fmt.Fprintf(out, "%s %s %s\n%s\n%s\n", from.GroupVersion(), from.Kind, to.GroupVersion(), shown, want); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// builtinKinds are those of objects that have metadata, in every version.
func builtinKinds() []schema.GroupVersionKind {
	var all []schema.GroupVersionKind
	for kind := range legacyscheme.Scheme.AllKnownTypes() {
		if kind.Version == runtime.APIVersionInternal {
			continue
		}
		object, err := legacyscheme.Scheme.New(kind)
		if err != nil || meta.IsListType(object) {
			continue
		}
		internal := schema.GroupVersionKind{Group: kind.Group, Version: runtime.APIVersionInternal, Kind: kind.Kind}
		if _, ok := object.(metav1.ObjectMetaAccessor); ok && legacyscheme.Scheme.Recognizes(internal) {
			all = append(all, kind)
		}
	}
	slices.SortFunc(all, func(a, b schema.GroupVersionKind) int { return strings.Compare(a.String(), b.String()) })
	return all
}

// read reads an object as the API server does, and gives it in the version that is
// written.
func read(kind schema.GroupVersionKind, text []byte) ([]byte, error) {
	internal, err := internalOf(kind, text)
	if err != nil {
		return nil, err
	}
	return external(kind, internal)
}

// internalOf reads an object as the API server does.
func internalOf(kind schema.GroupVersionKind, text []byte) (runtime.Object, error) {
	typed, err := legacyscheme.Scheme.New(kind)
	if err != nil {
		return nil, err
	}
	if err := kjson.UnmarshalCaseSensitivePreserveInts(text, typed); err != nil {
		return nil, err
	}
	legacyscheme.Scheme.Default(typed)
	return legacyscheme.Scheme.ConvertToVersion(typed, schema.GroupVersion{Group: kind.Group, Version: runtime.APIVersionInternal})
}

// external gives an object in a version.
func external(kind schema.GroupVersionKind, internal runtime.Object) ([]byte, error) {
	typed, err := legacyscheme.Scheme.ConvertToVersion(internal, kind.GroupVersion())
	if err != nil {
		return nil, err
	}
	typed.GetObjectKind().SetGroupVersionKind(kind)
	object, err := runtime.DefaultUnstructuredConverter.ToUnstructured(typed)
	if err != nil {
		return nil, err
	}
	return json.Marshal(object)
}

// holes makes of objects that are full what people write: most is left out, and what
// defaults depend on has a meaning.
type holes struct{ *rand.Rand }

func (h holes) sent(kind schema.GroupVersionKind, typed runtime.Object) ([]byte, error) {
	typed.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	text, err := json.Marshal(typed)
	if err != nil {
		return nil, err
	}
	object := map[string]any{}
	if err := kjson.UnmarshalCaseSensitivePreserveInts(text, &object); err != nil {
		return nil, err
	}
	h.punch(object)
	if kind.Kind == "Service" {
		h.address(object)
	}
	object["apiVersion"], object["kind"] = kind.GroupVersion().String(), kind.Kind
	return json.Marshal(object)
}

// less leaves out of an object as much again.
func (h holes) less(text []byte) ([]byte, error) {
	object := map[string]any{}
	if err := kjson.UnmarshalCaseSensitivePreserveInts(text, &object); err != nil {
		return nil, err
	}
	version, kind := object["apiVersion"], object["kind"]
	h.punch(object)
	if kind == "Service" {
		h.address(object)
	}
	object["apiVersion"], object["kind"] = version, kind
	return json.Marshal(object)
}

func (h holes) punch(value any) {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			h.punch(element)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			member, known := value[name], words()[name]
			switch _, isText := member.(string); {
			case h.Intn(3) == 0:
				delete(value, name)
			case isText && known != nil && h.Intn(4) > 0:
				value[name] = known[h.Intn(len(known))]
			case !isText:
				h.rename(name, member)
				h.punch(member)
			}
		}
	}
}

// address gives a Service addresses and ports as there are in a cluster.
func (h holes) address(service map[string]any) {
	spec, ok := service["spec"].(map[string]any)
	if !ok {
		return
	}
	for _, name := range []string{"clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "healthCheckNodePort"} {
		delete(spec, name)
	}
	one := func(of ...any) any { return of[h.Intn(len(of))] }
	for name, value := range map[string]any{
		"ipFamilyPolicy": one("SingleStack", "PreferDualStack", nil, nil),
		"ipFamilies":     one([]any{"IPv4"}, nil),
		"clusterIP":      one("None", "10.0.0.5", nil, nil),
	} {
		if value != nil {
			spec[name] = value
		}
	}
	if ip, found := spec["clusterIP"]; found && h.Intn(3) > 0 {
		spec["clusterIPs"] = []any{ip}
	}
	ports, _ := spec["ports"].([]any)
	for _, port := range ports {
		port := port.(map[string]any)
		port["protocol"], port["port"] = one("TCP", "UDP"), one(80, 443)
		delete(port, "nodePort")
		if h.Intn(3) == 0 {
			port["nodePort"] = 30100 + h.Intn(1000)
		}
	}
}

// rename gives lists of resources names that mean something.
func (h holes) rename(name string, member any) {
	list, ok := member.(map[string]any)
	if !ok || !slices.Contains([]string{"limits", "requests", "max", "min", "default", "defaultRequest", "capacity", "allocatable", "overhead"}, name) {
		return
	}
	for _, was := range slices.Sorted(maps.Keys(list)) {
		quantity := list[was]
		if _, ok := quantity.(string); ok && h.Intn(4) > 0 {
			delete(list, was)
			names := []string{"cpu", "memory", "hugepages-2Mi", "example.com/cards"}
			list[names[h.Intn(len(names))]] = quantity
		}
	}
}

// words are values that defaults depend on.
func words() map[string][]string {
	return map[string][]string{
		"type":            {"RollingUpdate", "OnDelete", "ClusterIP", "NodePort", "LoadBalancer", "ExternalName", "Container", "Pod"},
		"sessionAffinity": {"ClientIP", "None"},
		"kind":            {"User", "Group", "ServiceAccount"},
		"allocationMode":  {"ExactCount", "All"},
		"image":           {"nginx", "nginx:latest", "nginx:1.29", "example.com:5000/a/b", "nginx@sha256:" + strings.Repeat("a", 64), "nginx:latest@sha256:" + strings.Repeat("b", 64), "No Image"},
		"reference":       {"nginx", "nginx:latest", "nginx:1.29", "No Image"},
		"restartPolicy":   {"Always", "Never"},
		"name":            {"a", "b"},
		"ip":              {"10.0.0.1"},
	}
}
