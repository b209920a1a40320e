package exact

import "testing"

func TestDiffTellsApart(t *testing.T) {
	values := []string{
		`null`, `0`, `1`, `1.0`, `9007199254740992`, `9007199254740993`, `""`, `"0"`, `false`, `[]`, `[null]`,
		`{}`, `{"a":null}`, `{"a":0}`, `{"a":[]}`, `{"a":{}}`, `{"a":""}`, `{"a":false}`, `[1,2]`, `[2,1]`,
	}
	for i, a := range values {
		for j, b := range values {
			got, err := Decode([]byte(a))
			if err != nil {
				t.Fatal(err)
			}
			want, err := Decode([]byte(b))
			if err != nil {
				t.Fatal(err)
			}
			if same := Diff(got, want) == ""; same != (i == j) {
				t.Errorf("%s and %s: same is %v", a, b, same)
			}
		}
	}
}

func TestDiffForgivesTheOrderOfKeys(t *testing.T) {
	a, err := Decode([]byte(`{"a":1,"b":2}`))
	if err != nil {
		t.Fatal(err)
	}
	b, err := Decode([]byte(`{"b":2,"a":1}`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := Diff(a, b); diff != "" {
		t.Error(diff)
	}
}

func TestDecodeRefusesWhatFollows(t *testing.T) {
	if v, err := Decode([]byte(`{} {}`)); err == nil {
		t.Errorf("decoded %v", v)
	}
}

func TestAt(t *testing.T) {
	v, err := Decode([]byte(`{"a":{"b":null}}`))
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := At(v, "a", "b"); !ok || got != nil {
		t.Errorf("a.b: %v, %v", got, ok)
	}
	if _, ok := At(v, "a", "c"); ok {
		t.Error("a.c is there")
	}
	if _, ok := At(v, "a", "b", "c"); ok {
		t.Error("a.b.c is there")
	}
}

func TestMerge(t *testing.T) {
	for _, test := range []struct{ value, patch, want string }{
		{`{"a":{"b":1,"c":2},"d":3}`, `{"a":{"b":9,"c":null},"e":[]}`, `{"a":{"b":9},"d":3,"e":[]}`},
		{`{"a":[1,2]}`, `{"a":[2]}`, `{"a":[2]}`},
		{`{"a":1}`, `{"a":{"b":{"c":null,"d":1}}}`, `{"a":{"b":{"d":1}}}`},
		{`{"a":1}`, `{}`, `{"a":1}`},
	} {
		value, patch, want := mustDecode(t, test.value), mustDecode(t, test.patch), mustDecode(t, test.want)
		if diff := Diff(Merge(value, patch), want); diff != "" {
			t.Errorf("%s with %s:\n%s", test.value, test.patch, diff)
		}
		if diff := Diff(value, mustDecode(t, test.value)); diff != "" {
			t.Errorf("the value that was merged into changed:\n%s", diff)
		}
	}
}

func TestPatch(t *testing.T) {
	if diff := Diff(Patch("x", "a", "b"), mustDecode(t, `{"a":{"b":"x"}}`)); diff != "" {
		t.Error(diff)
	}
}

func mustDecode(t *testing.T, text string) Value {
	t.Helper()
	v, err := Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}
