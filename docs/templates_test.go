package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"sigs.k8s.io/yaml"
)

// issueForm is a form of GitHub's for new issues, as far as ours use it:
// https://docs.github.com/en/communities/using-templates-to-encourage-useful-issues-and-pull-requests/syntax-for-githubs-form-schema
type issueForm struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Labels      []string `json:"labels"`
	Body        []struct {
		Type       string `json:"type"`
		ID         string `json:"id"`
		Attributes struct {
			Value       string `json:"value"`
			Label       string `json:"label"`
			Description string `json:"description"`
			Placeholder string `json:"placeholder"`
			Render      string `json:"render"`
		} `json:"attributes"`
		Validations struct {
			Required bool `json:"required"`
		} `json:"validations"`
	} `json:"body"`
}

// GitHub shows a form that it cannot read to nobody, and says nothing.
func TestIssueForms(t *testing.T) {
	files, err := filepath.Glob("../.github/ISSUE_TEMPLATE/*.yaml")
	if err != nil || len(files) < 3 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var form issueForm
		if err := yaml.UnmarshalStrict(text, &form); err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if form.Name == "" || form.Description == "" || len(form.Labels) == 0 {
			t.Errorf("%s lacks a name, a description or a label", file)
		}
		var ids []string
		required := 0
		for _, part := range form.Body {
			switch a := part.Attributes; part.Type {
			case "markdown":
				if a.Value == "" {
					t.Errorf("%s: markdown without a value", file)
				}
			case "textarea":
				if a.Label == "" || !regexp.MustCompile(`^[a-z-]+$`).MatchString(part.ID) || slices.Contains(ids, part.ID) {
					t.Errorf("%s: %s needs a label, and an id of its own", file, part.ID)
				}
				ids = append(ids, part.ID)
			default:
				t.Errorf("%s: no test knows the type %q", file, part.Type)
			}
			if part.Validations.Required {
				required++
			}
		}
		if required == 0 {
			t.Errorf("%s asks for nothing", file)
		}
		wantPagesOfOurs(t, file, text)
	}
}

// The links of templates are whole addresses: what they are in has no place in the repository.
func TestPullRequestTemplate(t *testing.T) {
	const file = "../.github/PULL_REQUEST_TEMPLATE.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if relative := regexp.MustCompile(`\]\([^h)]`).Find(text); relative != nil {
		t.Errorf("%s: a link of a pull request is relative to its own address: %s", file, relative)
	}
	wantPagesOfOurs(t, file, text)
}

// wantPagesOfOurs wants the pages of this repository that a template links to.
func wantPagesOfOurs(t *testing.T, file string, text []byte) {
	t.Helper()
	for _, link := range regexp.MustCompile(`crosswalk-dev/crosswalk/blob/main/([^)\s]+)`).FindAllSubmatch(text, -1) {
		wantTarget(t, file, "", string(link[1]))
	}
}
