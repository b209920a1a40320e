package jsontext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

func document(text string) error {
	var s Scanner
	s.Reset([]byte(text))
	_, err := s.Document()
	return err
}

func TestDocumentAccepts(t *testing.T) {
	for _, text := range []string{
		`null`, ` true `, `false`, `0`, `-0`, `-1.5e+10`, `9223372036854775808`, `1e400`, `""`, `"\u00e9\ud83d\ude00"`,
		`"é😀"`, `[]`, `[1,[],{}]`, `{}`, "{\"a\" :\n1 ,\t\"b\":[ ] }", `{"a":{"a":1}}`, `{"":1}`,
	} {
		if err := document(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestDocumentRefuses(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{``, "byte 0: the JSON ends too early; expected a value"},
		{`nul`, "byte 0: not a value; expected null"},
		{`{"a":1,}`, "byte 7: unexpected '}'; expected a member name"},
		{`{"a" 1}`, "byte 5: unexpected '1'; expected a colon"},
		{`{"a":1 "b":2}`, "byte 7: unexpected '\"'; expected a comma or }"},
		{`[1,]`, "byte 3: unexpected ']'; expected a value"},
		{`[1 2]`, "byte 3: unexpected '2'; expected a comma or ]"},
		{`01`, "byte 1: unexpected '1'; expected the end of the JSON"},
		{`1.`, "byte 2: the JSON ends too early; expected a digit"},
		{`-x`, "byte 1: unexpected 'x'; expected a digit"},
		{`"a`, "byte 0: the string has no end"},
		{"\"a\nb\"", "byte 2: a control character in a string must be escaped"},
		{`"\x"`, "byte 1: unknown escape in a string"},
		{`"\u12g4"`, "byte 1: \\u needs four hexadecimal digits"},
		{`"\ud800"`, "byte 1: a lone surrogate is not a character"},
		{`"\ud800\u0041"`, "byte 1: a lone surrogate is not a character"},
		{"\"\xff\"", "byte 1: invalid UTF-8 in a string"},
		{"\"12345678\xc3\"", "byte 9: invalid UTF-8 in a string"},
		{`{"a":1,"b":2,"a":3}`, `byte 13: the member "a" occurs twice in one object`},
		{`{"a":1,"\u0061":3}`, `byte 7: the member "\\u0061" occurs twice in one object`},
		{`{} {}`, "byte 3: unexpected '{'; expected the end of the JSON"},
	} {
		err := document(test.text)
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.text, err, test.want)
		}
	}
}

func TestManyNames(t *testing.T) {
	for _, n := range []int{pairwise - 1, pairwise, pairwise + 1, 1000} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"name%d":{"inner":%d},`, i, i)
		}
		if err := document("{" + strings.TrimSuffix(b.String(), ",") + "}"); err != nil {
			t.Errorf("%d names: %v", n, err)
		}
		for _, again := range []int{0, n / 2, n - 1} {
			// The same name in another spelling.
			err := document("{" + b.String() + fmt.Sprintf(`"n\u0061me%d":0}`, again))
			if err == nil || !strings.Contains(err.Error(), "twice") {
				t.Errorf("%d names, name %d again: %v", n, again, err)
			}
		}
	}
}

func TestDepth(t *testing.T) {
	if err := document(strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth)); err != nil {
		t.Error(err)
	}
	for _, open := range []string{"[", `{"a":`} {
		err := document(strings.Repeat(open, MaxDepth+1))
		if err == nil || !strings.Contains(err.Error(), "levels deep") {
			t.Errorf("%s: %v", open, err)
		}
	}
}

// TestTooManyNames: what a scanner notes of names is bounded, in one object and in several
// that are open at once.
func TestTooManyNames(t *testing.T) {
	members := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"%x":0,`, i)
		}
		return b.String()
	}
	half := members(MaxNames / 2)
	for name, text := range map[string]string{
		"one object":  "{" + half + strings.ReplaceAll(half, `":`, `x":`) + `"more":0}`,
		"two objects": "{" + half + `"in":{` + half + `"more":0}}`,
	} {
		err := document(text)
		if err == nil || !strings.Contains(err.Error(), "an object has more than 2097152 members") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := document("[" + strings.Repeat("{"+members(20)+`"more":0},`, MaxNames/20) + "0]"); err != nil {
		t.Errorf("one after the other: %v", err)
	}
}

func TestAppendNumber(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"0", "0"}, {"-0", "0"}, {"-0.0", "0"}, {"1.50", "1.5"}, {"1e3", "1000"}, {"1.0", "1"},
		{"9223372036854775807", "9223372036854775807"}, {"-9223372036854775808", "-9223372036854775808"},
		{"9223372036854775808", "9223372036854776000"}, {"1234567890123456789.0", "1234567890123456800"}, {"12345678901234567890", "12345678901234567000"},
		{"1e21", "1e+21"}, {"1e-7", "1e-7"}, {"0.000001", "0.000001"}, {"1e400", "1e400"}, {"9007199254740993", "9007199254740993"},
	} {
		if got := string(AppendNumber(nil, []byte(test.in))); got != test.want {
			t.Errorf("%s: %s, want %s", test.in, got, test.want)
		}
	}
}

func TestSkim(t *testing.T) {
	for _, test := range []struct {
		text string
		end  int
	}{
		{`{"a":"}\"]","b":[1,{}]},`, 23}, {`"12345678\\",`, 12}, {`"1234567\"",`, 11}, {`[[]]]`, 4}, {`12,`, 2}, {`null]`, 4},
		{`{"a":"}`, -1}, {`[[]`, -1}, {`"\"`, -1}, {`"12345678\"`, -1}, {``, -1}, {`x`, -1},
	} {
		var s Scanner
		s.Reset([]byte(test.text))
		end, err := s.Skim(0)
		if err != nil {
			end = -1
		}
		if end != test.end {
			t.Errorf("%s: %d, want %d", test.text, end, test.end)
		}
	}
}

func FuzzScanner(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5e3,"x\n\u00e9"],"b":null}`, `"\ud83d\ude00"`, `{"a":1,"a":2}`, "\"\xff\"", `[[[[`, `-0.0e-1`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var s Scanner
		s.Reset(text)
		span, err := s.Document()
		if err != nil {
			// What it refuses beyond encoding/json is what I-JSON forbids.
			if json.Valid(text) && !strings.Contains(err.Error(), "twice") && !strings.Contains(err.Error(), "UTF-8") && !strings.Contains(err.Error(), "surrogate") {
				t.Fatalf("refused: %v", err)
			}
			return
		}
		if !json.Valid(text) {
			t.Fatalf("accepted what encoding/json refuses")
		}
		if end, err := s.Skim(int(span.Start)); err != nil || end != int(span.End) {
			t.Fatalf("skimmed to %d, %v, want %d", end, err, span.End)
		}
		if want := bytes.TrimSpace(text); !bytes.Equal(span.Bytes(text), want) {
			t.Fatalf("span %q, want %q", span.Bytes(text), want)
		}
		if text = span.Bytes(text); text[0] == '"' {
			var want string
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			got := Unquote(nil, text[1:len(text)-1])
			if string(got) != want {
				t.Fatalf("unquoted %q, want %q", got, want)
			}
			var again string
			if err := json.Unmarshal(Quote(nil, got), &again); err != nil || again != want {
				t.Fatalf("quoted again %q, %v, want %q", again, err, want)
			}
		}
		if c := text[0]; c == '-' || c-'0' <= 9 {
			checkNumber(t, string(text))
		}
	})
}

// checkNumber compares with what decoding as the API server does gives.
func checkNumber(t *testing.T, text string) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return
	}
	got := string(AppendNumber(nil, []byte(text)))
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		if want := strconv.FormatInt(i, 10); got != want {
			t.Fatalf("%s: %s, want %s", text, got, want)
		}
		return
	}
	want, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := strconv.ParseFloat(got, 64); err != nil || back != f || (got != string(want) && string(want) != "-0") {
		t.Fatalf("%s: %s, want %s", text, got, want)
	}
}
