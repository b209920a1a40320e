package admit

import (
	"encoding/xml"
	"os"
	"strings"
	"testing"

	"github.com/crosswalk-dev/crosswalk/internal/report"
)

func readCases(t *testing.T, file string) []*Case {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	cases, errs := ReadCases(file, text)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return cases
}

// TestReports holds the formats, which programs read, to what they were.
func TestReports(t *testing.T) {
	j := load(t, stones, rule("light", "", "object.spec.weight < 5 || request.userInfo.username == 'root' && 'wheel' in request.userInfo.groups"))
	outcomes := j.Run(t.Context(), readCases(t, "testdata/cases.yaml"), nil)
	if Failed(outcomes) != 5 {
		t.Errorf("%d failed", Failed(outcomes))
	}
	asJSON, err := CasesJSON(outcomes)
	if err != nil {
		t.Fatal(err)
	}
	junit, err := CasesJUnit(outcomes)
	if err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(junit, new(report.JUnit)); err != nil {
		t.Error(err)
	}
	var results []*Result
	for _, o := range outcomes {
		if o.Result != nil {
			results = append(results, o.Result)
		}
	}
	single, err := ObjectsJSON(results[:2])
	if err != nil {
		t.Fatal(err)
	}
	for file, got := range map[string]string{
		"report.txt": CasesText(outcomes), "report.json": string(asJSON), "report.xml": string(junit), "objects.json": string(single),
	} {
		want, err := os.ReadFile("testdata/" + file)
		if err != nil || got != string(want) {
			t.Errorf("%s: %v, got\n%s\nwant\n%s", file, err, got, want)
		}
	}
}

// TestCaseContext: an object of a case replaces one that all cases have.
func TestCaseContext(t *testing.T) {
	j := load(t, stones, rule("unique", "lookups: [{name: all, apiVersion: quarry.dev/v1, kind: Stone, selector: {}}]", "lookups.all.map(s, s.spec.weight) == [7, 9]"))
	cases, errs := ReadCases("a.yaml", []byte(`
object: {apiVersion: quarry.dev/v1, kind: Stone, metadata: {name: a}}
context:
- {apiVersion: quarry.dev/v1beta1, kind: Stone, metadata: {name: b}, spec: {size: 7}}
expect: {allowed: true}
`))
	if len(errs) > 0 || cases[0].Name != "a" {
		t.Fatal(errs, cases)
	}
	common := objects(t, strings.ReplaceAll(beta("spec: {size: 1}\n"), "name: a", "name: b")+"---\n"+strings.ReplaceAll(v1("spec: {weight: 9}"), "name: a", "name: c"))
	if outcomes := j.Run(t.Context(), cases, common); !outcomes[0].Passed() {
		t.Error(CasesText(outcomes))
	}
	cases[0].Context = append(cases[0].Context, []byte(`{"apiVersion":"quarry.dev/v7","kind":"Stone","metadata":{"name":"d"}}`))
	outcomes := j.Run(t.Context(), cases, nil)
	if got := CasesText(outcomes); !strings.Contains(got, "+ Stone d: stones.quarry.dev has no version v7") {
		t.Error(got)
	}
}

// TestWrongCases: what is no case is told with its line, all of it at once.
func TestWrongCases(t *testing.T) {
	const good = "object: {apiVersion: v1, kind: Pod}\n"
	for _, test := range []struct{ text, want string }{
		{"nmae: x\nobject: {}\nexpect: {allowed: yes, cause: []}\n", `c.yaml: document 1, line 1: .nmae: unknown field; did you mean name?
c.yaml: document 1, line 3: .expect.cause: unknown field; did you mean causes?`},
		{"object: {a: b}\noldObject: [1]\ncontext:\n- {apiVersion: v1, kind: Pod}\n- x\nexpect: {allowed: true}\n", `c.yaml: document 1, line 1: .object needs an apiVersion and a kind
c.yaml: document 1, line 2: .oldObject needs an apiVersion and a kind
c.yaml: document 1, line 5: .context[1] needs an apiVersion and a kind`},
		{good + "---\n" + good + "expect: {}\n", `c.yaml: document 1, line 1: .expect.allowed is missing: write true or false
c.yaml: document 2, line 4: .expect.allowed is missing: write true or false`},
		{good + "expect:\n  allowed: true\n  causes: [{message: x}]\n", `c.yaml: document 1, line 4: .expect.causes needs .expect.allowed: false, because only a denial has causes`},
		{good + "expect:\n  allowed: false\n  object: {}\n", `c.yaml: document 1, line 4: .expect.object needs .expect.allowed: true, because a denied object is not stored`},
		{good + "expect:\n  allowed: true\n  object: []\n", `c.yaml: document 1, line 4: .expect.object must be a map, not a list`},
		{good + "operation: UPDATE\nexpect: {allowed: true}\n", `c.yaml: document 1, line 1: an UPDATE needs an object and an old object`},
		{good + "expect: {allowed: 'true'}\nuser: {groups: x}\n", `c.yaml: document 1, line 2: .expect.allowed must be a boolean, not a string
c.yaml: document 1, line 3: .user.groups must be a list, not a string`},
		{"- a\n---\na: [\n", `c.yaml: document 1, line 1: the document must be a map, not a list
c.yaml: document 2, line 3: not YAML: did not find expected node content`},
	} {
		cases, errs := ReadCases("c.yaml", []byte(test.text))
		got := errs.Error()
		for _, e := range errs { // syntax comes first
			if strings.Contains(e.Error(), "not YAML") {
				got = strings.TrimSuffix(strings.Replace(got, e.Error()+"\n", "", 1)+"\n"+e.Error(), "\n")
			}
		}
		if got != test.want || len(cases) > 0 {
			t.Errorf("got %d cases and\n%s\nwant\n%s", len(cases), got, test.want)
		}
	}
}

// TestPair finds the pairing that leaves the least.
func TestPair(t *testing.T) {
	fits := map[[2]int]bool{{0, 0}: true, {0, 1}: true, {1, 0}: true}
	got := pair([]string{"any", "first", "third"}, []string{"1", "2", "3"}, func(w, g int) bool { return fits[[2]int{w, g}] })
	if len(got) != 2 || got[0].Want != "third" || got[1].Got != "3" {
		t.Errorf("got %+v", got)
	}
}

func TestUser(t *testing.T) {
	for _, test := range []struct {
		user   User
		name   string
		groups string
	}{
		{User{}, "kubernetes-admin", "system:authenticated"},
		{User{Name: "bob", Groups: []string{"dev", "system:authenticated"}}, "bob", "dev system:authenticated"},
		{User{Name: "system:anonymous"}, "system:anonymous", "system:unauthenticated"},
		{User{Name: "system:serviceaccount:ns:a"}, "system:serviceaccount:ns:a", "system:serviceaccounts system:serviceaccounts:ns system:authenticated"},
	} {
		info := test.user.Info()
		if info.Username != test.name || strings.Join(info.Groups, " ") != test.groups {
			t.Errorf("got %+v", info)
		}
	}
	if info := (User{UID: "1", Extra: map[string][]string{"scopes": {"a"}}}).Info(); info.UID != "1" || info.Extra["scopes"][0] != "a" {
		t.Errorf("got %+v", info)
	}
}
