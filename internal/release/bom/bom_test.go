package bom

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`

const isc = `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.
`

func TestTextsAreThoseOfLinkedPackages(t *testing.T) {
	root := t.TempDir()
	for name, content := range map[string]string{
		"LICENSE":                      "of the module",
		"NOTICE.txt":                   "to keep with it",
		"license.go":                   "package licenses",
		"third_party/forked/LICENSE":   "of another's code",
		"third_party/forked/a/code.go": "package a",
		"unused/COPYING":               "of what is not linked",
		"README.md":                    "no licence",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	texts, err := textsIn(folders{root: root, packages: []string{root, filepath.Join(root, "third_party", "forked", "a")}})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, text := range texts {
		names = append(names, text.Name)
	}
	if want := []string{"LICENSE", "NOTICE.txt", "third_party/forked/LICENSE"}; !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
	if _, err := textsIn(folders{root: filepath.Join(root, "unused"), packages: []string{root}}); err == nil {
		t.Error("a package outside its module passes")
	}
}

func TestLicenseIsAnSPDXExpression(t *testing.T) {
	tests := map[string][]Text{
		"MIT":         {{"LICENSE", []byte("Copyright (c) 2026 Somebody\n\n" + mit)}, {"NOTICE", []byte("thanks")}},
		"ISC AND MIT": {{"COPYING", []byte(mit)}, {"forked/LICENCE.md", []byte(isc)}, {"other/LICENSE", []byte(isc)}},
		"NOASSERTION": {{"COPYING", []byte(mit)}, {"LICENSE", []byte("Ask us first.")}},
	}
	for want, texts := range tests {
		if got := (Module{Texts: texts}).License(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestPackageIsNamedByItsPURL(t *testing.T) {
	for path, want := range map[string]string{
		"github.com/NYTimes/gziphandler/v2": "pkg:golang/github.com/NYTimes/gziphandler/v2@v2.0.1",
		std:                                 "pkg:golang/std@2.0.1",
	} {
		pkg := packageOf(Module{Path: path, Version: "v2.0.1", Texts: []Text{{"LICENSE", []byte(mit)}}})
		if got := pkg.PackageExternalReferences[0].Locator; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if id := string(pkg.PackageSPDXIdentifier); strings.ContainsAny(id, "/_") {
			t.Errorf("the specification allows letters, digits, dots and hyphens, not %s", id)
		}
	}
}
