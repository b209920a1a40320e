package manifest

import "testing"

func TestOrderLike(t *testing.T) {
	for _, test := range []struct{ source, converted, want string }{
		{`{"a":1,"b":2,"c":3}`, `{"c":3,"x":0,"a":1}`, `{"a":1,"c":3,"x":0}`},
		{`{"a":1,"old":2,"c":3}`, `{"new":2,"a":1,"c":3}`, `{"new":2,"a":1,"c":3}`},
		{`{"a":1}`, `{"y":1,"x":2}`, `{"y":1,"x":2}`},
		{`{"l":[{"name":"a","value":"b"},{"value":"d","name":"c"}]}`, `{"l":[{"value":"b","name":"a"},{"name":"c","value":"d"},{"z":1,"y":2}]}`,
			`{"l":[{"name":"a","value":"b"},{"value":"d","name":"c"},{"z":1,"y":2}]}`},
		{`{"m":{"a":{"p":1,"q":2}}}`, `{"m":{"b":1,"a":{"q":2,"p":1}}}`, `{"m":{"b":1,"a":{"p":1,"q":2}}}`},
		{`{"a":1}`, `[1]`, `[1]`},
	} {
		n, source := parsedJSON(t, test.converted), parsedJSON(t, test.source)
		OrderLike(n, source)
		if got := string(n.AppendJSON(nil)); got != test.want {
			t.Errorf("%s like %s: got %s, want %s", test.converted, test.source, got, test.want)
		}
	}
}

func parsedJSON(t *testing.T, text string) *Node {
	t.Helper()
	n, err := Parse(Document{Number: 1, Line: 1, Text: []byte(text)}, JSON)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
