package tree_test

import (
	"encoding/json"
	"testing"

	"github.com/crosswalk-dev/crosswalk/conversion/verify/internal/tree"
)

func TestParse(t *testing.T) {
	for in, valid := range map[string]bool{
		`{"a":[1,-0,1.50,1e3,9223372036854775807],"b":null,"c":"\u00e9\ud83d\ude00"}`: true,
		`{"a":1,"a":2}`:      false,
		`{"a":1,"\u0061":2}`: false,
		`"\ud83d"`:           false,
		`"\ude00\ud83d"`:     false,
		`"\\ud83d"`:          true,
		"\"\xff\"":           false,
		`{} {}`:              false,
		`[1,]`:               false,
		``:                   false,
		`01`:                 false,
		`-`:                  false,
		`[1 2]`:              false,
		`{"a" 1}`:            false,
		`"\u12"`:             false,
		`tru`:                false,
		` [ ] `:              true,
	} {
		v, err := tree.Parse([]byte(in))
		if (err == nil) != valid {
			t.Errorf("Parse(%s): error %v, want valid %v", in, err, valid)
		}
		if err == nil {
			again, err := tree.Parse(v.Append(nil))
			if err != nil || !tree.Equal(v, again) {
				t.Errorf("Parse(Append(%s)) = %v, %v", in, again, err)
			}
		}
	}
}

// FuzzParse compares the parser with encoding/json, which takes duplicate names,
// invalid UTF-8 and lone surrogates.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"a":[1,-0.5e+3,null,true,false],"b":"\\\"\u00e9\ud83d\ude00"}`, `01`, `-`, `1.`, `"\u12"`, "\"\x01\"", ` {"a" : 1 } `, `tru`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := tree.Parse(data)
		if err != nil {
			return
		}
		if !json.Valid(data) {
			t.Fatalf("Parse took %q", data)
		}
		again, err := tree.Parse(v.Append(nil))
		if err != nil || !tree.Equal(v, again) {
			t.Fatalf("%q came back as %s, %v", data, again, err)
		}
	})
}

func TestNormalNumber(t *testing.T) {
	for in, want := range map[string]string{
		"1": "1", "-0": "0", "-0.0": "0", "1.50": "1.5", "1.0": "1", "1e3": "1000", "1E400": "1E400",
		"9223372036854775807": "9223372036854775807", "9223372036854775808": "9223372036854776000",
		"9223372036854775809": "9223372036854776000", "9007199254740993": "9007199254740993",
		"123456789012345678901": "123456789012345680000", "1e21": "1e+21",
	} {
		if got := tree.NormalNumber(in); got != want {
			t.Errorf("NormalNumber(%s) = %s, want %s", in, got, want)
		}
	}
}

func TestDiff(t *testing.T) {
	a, _ := tree.Parse([]byte(`{"a":1,"b":[1,{"c":null}],"d":""}`))
	b, _ := tree.Parse([]byte(`{"d":"","b":[1.0,{}],"a":1.0}`))
	got := tree.Diff(a, b)
	if len(got) != 1 || got[0].Path.String() != ".b[1].c" || got[0].Left.Kind != tree.Null || got[0].Right != nil {
		t.Errorf("Diff = %v", got)
	}
}

func TestPutAndAt(t *testing.T) {
	v, _ := tree.Parse([]byte(`{"a":{"b":[{"c":1}]}}`))
	p := tree.Names("a", "b").Index(0).Name("c.d")
	if !v.Put(p, tree.NewBool(true)) || v.At(p).Text != "true" || p.String() != ".a.b[0]['c.d']" {
		t.Errorf("Put at %s: %s", p, v)
	}
	if v.Put(tree.Names("a", "b", "c"), tree.NewNull()) || v.Put(tree.Names("x").Index(0), tree.NewNull()) {
		t.Error("Put through a list and beyond one must fail")
	}
	if !v.Put(tree.Names("x", "y"), tree.NewNull()) || v.String() != `{"a":{"b":[{"c":1,"c.d":true}]},"x":{"y":null}}` {
		t.Errorf("got %s", v)
	}
}
