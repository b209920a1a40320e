package admit

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"

	"github.com/crosswalk-dev/crosswalk/internal/config"
	"github.com/crosswalk-dev/crosswalk/internal/manifest"
)

// Case is a write and the expected verdict.
type Case struct {
	// Name describes the case. The default is the name of the file.
	Name string `json:"name"`
	// Operation is CREATE, UPDATE, DELETE or CONNECT. The default follows from the objects and
	// the subresource.
	Operation admissionv1.Operation `json:"operation"`
	// SubResource is empty, or the subresource that is written: see [Write].
	SubResource string `json:"subresource"`
	// User is the author of the write.
	User User `json:"user"`
	// Object replaces OldObject.
	Object    json.RawMessage `json:"object"`
	OldObject json.RawMessage `json:"oldObject"`
	// Context holds the other objects that exist.
	Context []json.RawMessage `json:"context"`
	// Expect is the expected verdict.
	Expect Expect `json:"expect"`

	// Source is the place from which the case was read.
	Source config.Source `json:"-"`
}

// User is the author of a write.
type User struct {
	Name   string              `json:"name"`
	UID    string              `json:"uid"`
	Groups []string            `json:"groups"`
	Extra  map[string][]string `json:"extra"`
}

// Expect is a verdict. Missing fields are not checked.
type Expect struct {
	Allowed *bool `json:"allowed"`
	// Causes are all causes, in any order.
	Causes []ExpectedCause `json:"causes"`
	// Warnings are parts of all warnings, in any order.
	Warnings []string `json:"warnings"`
	// AuditAnnotations must be among the audit annotations.
	AuditAnnotations map[string]string `json:"auditAnnotations"`
	// Object is part of the stored object: every field in it must have that value, and a null
	// field must be missing. Lists are compared completely.
	Object json.RawMessage `json:"object"`
}

// ExpectedCause is a cause of a denial.
type ExpectedCause struct {
	// Field is the whole path. It is empty for a cause without a field.
	Field *string `json:"field"`
	// Message is a part of the cause's message.
	Message string `json:"message"`
}

// ReadCases reads every document of a file as a case. The errors list everything that is wrong.
func ReadCases(file string, text []byte) ([]*Case, config.Errors) {
	documents, errs := config.Documents(file, text)
	var cases []*Case
	for _, d := range documents {
		if d.Node == nil || d.Node.Kind == manifest.Null {
			continue
		}
		c := new(Case)
		if wrong := config.Decode(d.Node, d.Source, c); len(wrong) > 0 {
			errs = append(errs, wrong...)
			continue
		}
		c.Source = d.Source
		if wrong := c.check(d.Node); len(wrong) > 0 {
			errs = append(errs, wrong...)
			continue
		}
		cases = append(cases, c)
	}
	nameless := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	for i, c := range cases {
		if c.Name == "" {
			c.Name = nameless
			if len(cases) > 1 {
				c.Name = fmt.Sprintf("%s %d", nameless, i+1)
			}
		}
	}
	return cases, errs
}

// check returns what is wrong with a case.
func (c *Case) check(node *manifest.Node) config.Errors {
	var errs config.Errors
	fail := func(at *manifest.Node, format string, args ...any) {
		line := node.Line
		if at != nil {
			line = at.Line
		}
		errs = append(errs, &config.Error{File: c.Source.File, Document: c.Source.Document, Line: line, Err: fmt.Errorf(format, args...)})
	}
	for _, name := range []string{"object", "oldObject"} {
		if n := node.Get(name); n != nil && !isObject(n) {
			fail(n, ".%s needs an apiVersion and a kind", name)
		}
	}
	if list := node.Get("context"); list != nil {
		for i, n := range list.Items {
			if !isObject(n) {
				fail(n, ".context[%d] needs an apiVersion and a kind", i)
			}
		}
	}
	w := c.write()
	if err := w.normalize(); err != nil && len(errs) == 0 {
		fail(node, "%v", err)
	}
	expect := node.Get("expect")
	if n := expect.Get("object"); n != nil && n.Kind != manifest.Map {
		fail(n, ".expect.object must be a map, not %s", n.Kind)
	}
	switch {
	case c.Expect.Allowed == nil:
		fail(expect, ".expect.allowed is missing: write true or false")
	case *c.Expect.Allowed && len(c.Expect.Causes) > 0:
		fail(expect.Get("causes"), ".expect.causes needs .expect.allowed: false, because only a denial has causes")
	case !*c.Expect.Allowed && c.Expect.Object != nil:
		fail(expect.Get("object"), ".expect.object needs .expect.allowed: true, because a denied object is not stored")
	}
	return errs
}

func isObject(n *manifest.Node) bool {
	return n.Kind == manifest.Map && n.GetString("apiVersion") != "" && n.GetString("kind") != ""
}

// write returns the write of the case, without its context.
func (c *Case) write() Write {
	return Write{
		Operation: c.Operation, SubResource: c.SubResource, Object: c.Object, Old: c.OldObject, Namespace: "default",
		User: c.User.Info(),
	}
}

// Info returns the user as the API server identifies them: with the groups that everybody has
// (k8s.io/apiserver/pkg/endpoints/filters/impersonation).
func (u User) Info() authenticationv1.UserInfo {
	info := authenticationv1.UserInfo{Username: u.Name, UID: u.UID, Groups: slices.Clone(u.Groups)}
	if info.Username == "" {
		info.Username = "kubernetes-admin"
	}
	add := func(group string) {
		if !slices.Contains(info.Groups, group) {
			info.Groups = append(info.Groups, group)
		}
	}
	if account, ok := strings.CutPrefix(info.Username, "system:serviceaccount:"); ok {
		namespace, _, _ := strings.Cut(account, ":")
		add("system:serviceaccounts")
		add("system:serviceaccounts:" + namespace)
	}
	if info.Username == "system:anonymous" {
		add("system:unauthenticated")
	} else {
		add("system:authenticated")
	}
	for key, values := range u.Extra {
		if info.Extra == nil {
			info.Extra = map[string]authenticationv1.ExtraValue{}
		}
		info.Extra[key] = values
	}
	return info
}
