package verify

import (
	"encoding/json"
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"
)

// Markdown returns a counterexample with everything that is needed to reproduce it: the schema
// of each version, the table, and the case.
func (c *Counterexample) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: %s\n\n```\n%s```\n", c.Law, c.Problem, c.Error())
	c.Subject.describe(&b, "Table", "Schemas")
	if was := c.Subject.earlier; was != nil {
		was.describe(&b, "Earlier table", "Earlier schemas")
	}
	return b.String()
}

func (s *Subject) describe(b *strings.Builder, table, schemas string) {
	fmt.Fprintf(b, "\n## %s\n```yaml\n%s```\n\n## %s\n", table, asYAML(s.Table.Spec), schemas)
	for _, v := range s.CRD.Spec.Versions {
		schema := v.Schema.OpenAPIV3Schema.DeepCopy()
		for _, name := range []string{"apiVersion", "kind", "metadata"} {
			delete(schema.Properties, name)
		}
		fmt.Fprintf(b, "%s:\n```yaml\n%s```\n", v.Name, asYAML(schema))
	}
}

func asYAML(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error() + "\n"
	}
	out, err := yaml.JSONToYAML(data)
	if err != nil {
		// YAML rejects some characters that JSON allows.
		return string(data) + "\n"
	}
	return string(out)
}
