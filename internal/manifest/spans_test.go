package manifest

import "testing"

func TestMembersAndElements(t *testing.T) {
	text := []byte(`{ "a" : {"x": [1]} , "b":2,"c": [ "y" , null ]}`)
	var got string
	for _, span := range Members(text) {
		got += span.Key + "=" + string(text[span.Start:span.End]) + ";"
		for _, element := range Elements(text[span.Start:span.End]) {
			got += "<" + string(text[span.Start+element.Start:span.Start+element.End]) + ">"
		}
	}
	if want := `a={"x": [1]};b=2;c=[ "y" , null ];<"y"><null>`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, text := range []string{"", "1", "[1]", `{"a"`, `{"a":}`} {
		if spans := Members([]byte(text)); spans != nil {
			t.Errorf("%s: got %v", text, spans)
		}
	}
}

func TestReindent(t *testing.T) {
	tests := []struct{ value, like, prefix, want string }{
		{"{\n\"a\": 1.50}", `{"b": 2}`, "", `{"a":1.50}`},
		{`{"a":{"b":"\u003c"}}`, "{\n    \"b\": 2\n}", "", "{\n    \"a\": {\n        \"b\": \"\\u003c\"\n    }\n}"},
		{`{"a":1}`, "{\n\t\t\"b\": 2\n\t}", "\t", "{\n\t\t\"a\": 1\n\t}"},
	}
	for _, test := range tests {
		got, err := Reindent([]byte(test.value), []byte(test.like), test.prefix)
		if err != nil || string(got) != test.want {
			t.Errorf("%s: got %s, want %s (%v)", test.value, got, test.want, err)
		}
	}
}
