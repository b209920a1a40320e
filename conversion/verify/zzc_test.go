package verify

import (
	"fmt"
	"os"
	"testing"
)

// TestZC converts OBJ along VERSIONS of CASE's table.
func TestZC(t *testing.T) {
	if os.Getenv("CASE") == "" { t.Skip() }
	data, _ := os.ReadFile(os.Getenv("CASE"))
	s, _, err := Load(data, CompileWithFunctions)
	if err != nil {
		t.Fatal(err)
	}
	obj := []byte(os.Getenv("OBJ"))
	fmt.Println(string(obj))
	for _, v := range splitSpace(os.Getenv("VERSIONS")) {
		if obj, err = s.converter.Convert(nil, obj, v); err != nil {
			t.Fatal(err)
		}
		fmt.Println("→", string(obj))
	}
}

func splitSpace(s string) (out []string) {
	w := ""
	for _, r := range s + " " {
		if r == ' ' {
			if w != "" {
				out = append(out, w)
			}
			w = ""
			continue
		}
		w += string(r)
	}
	return out
}
