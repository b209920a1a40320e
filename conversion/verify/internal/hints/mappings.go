package hints

import (
	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

func ofScalar(r v1alpha1.Row) []*tree.Value {
	if r.Scalar == nil {
		return nil
	}
	var out []*tree.Value
	for _, text := range []string{"true", "false", "True", "False", "TRUE", "FALSE", "t", "T", "f", "F", "1", "tRUE", "yes", "8080", "0080", "-5", "1.5", "90s", "1m30s", "5m0s", "1h", "1500ms", "512Mi", "1Gi", "1.5Gi", "2000", "1k", "500m", "50%", "12.5%", "0"} {
		out = append(out, tree.NewString(text))
	}
	for _, text := range []string{"0", "1", "90", "300", "3600", "5400000", "1000", "1024", "0.5", "1.5", "12.5", "86400"} {
		out = append(out, tree.NewNumber(text))
	}
	return out
}

func ofBoolean(r v1alpha1.Row) []*tree.Value {
	if r.Boolean == nil {
		return nil
	}
	return []*tree.Value{tree.NewString("Enabled"), tree.NewString("Disabled"), tree.NewString("yes")}
}

func ofJoin(r v1alpha1.Row) []*tree.Value {
	if r.Join == nil {
		return nil
	}
	j := r.Join
	var out []*tree.Value
	for _, inside := range []string{"", "a", "a" + j.Separator + "b", "1" + j.Separator + "02", j.Separator, "a" + j.Separator + j.Separator[:1] + "b", " a " + j.Separator + " b", "a" + j.Separator + " "} {
		out = append(out, tree.NewString(j.Prefix+inside+j.Suffix))
	}
	return append(out, tree.NewString("a"+j.Separator[:1]))
}

func ofVariant(r v1alpha1.Row) []*tree.Value {
	if r.Variant == nil {
		return nil
	}
	return []*tree.Value{tree.NewString("A"), tree.NewString("B"), tree.NewString("web")}
}

func ofText(r v1alpha1.Row) []*tree.Value {
	if r.Text == "" {
		return nil
	}
	var out []*tree.Value
	for _, text := range []string{
		`{"x":"a"}`, `{"x":"b","y":1,"z":{"l":[true],"m":{"k":"v"}}}`, `{"y":1.50}`, `{"u":[1,{"v":null}],"x":"b"}`, `{"x":5}`, `{"x":"a","x":"b"}`, `[]`, `{}`, `{"y":null}`, `[1,2]`,
		"x: b\n", "x: b # kept\ny: 0x10\n", "y: 9007199254740993\n", "z:\n  l: [yes, no]\n  m: {a: b}\n", "a: &a {b: 1}\nc: *a\n", "- a\n- b\n", "x: y: z", "# nothing\n", "x: 1\n---\ny: 2\n", "null", "x: \"\\u00e9\"\n",
	} {
		out = append(out, tree.NewString(text))
	}
	return out
}

func ofWhere(r v1alpha1.Row) []*tree.Value {
	switch {
	case r.Where != nil:
		return []*tree.Value{tree.NewString("A"), tree.NewString("B"), tree.NewString("C"), tree.NewString("web"), tree.NewString("A"), tree.NewString("B")}
	case r.Entries != nil:
		return []*tree.Value{tree.NewString("A"), tree.NewString("B"), tree.NewString("web"), tree.NewString("true"), tree.NewString("7")}
	}
	return nil
}

func ofCEL(r v1alpha1.Row) []*tree.Value {
	if r.CEL == nil {
		return nil
	}
	var out []*tree.Value
	for _, text := range []string{"1-2", "3-4", "01-2", "a/b", "none", "yes", "7", "x"} {
		out = append(out, tree.NewString(text))
	}
	return append(out, tree.NewNumber("0"), tree.NewNumber("7"), tree.NewNumber("9007199254740993"))
}
