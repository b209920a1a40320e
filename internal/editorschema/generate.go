package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
)

// Draft 7 is what the YAML language server knows best.
const draft = "http://json-schema.org/draft-07/schema#"

type object = map[string]any

// Generate reads the Go types of a folder and writes the JSON Schema of a Crosswalk.
// Descriptions come from the comments, and bounds from the markers. Every struct rejects fields
// that it does not have.
func Generate(folder string) ([]byte, error) {
	structs := map[string]structType{}
	for _, file := range []string{"types.go", "row.go", "mappings.go", "variant.go", "expressions.go"} {
		if err := readStructs(structs, filepath.Join(folder, file)); err != nil {
			return nil, err
		}
	}
	g := generator{structs: structs, definitions: object{}}
	root, err := g.structSchema("Crosswalk")
	if err != nil {
		return nil, err
	}
	g.addHandWritten()
	root["$schema"] = draft
	root["title"] = "Crosswalk"
	root["definitions"] = g.definitions

	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err = encoder.Encode(root)
	return out.Bytes(), err
}

type structType struct {
	doc    string
	fields []*ast.Field
}

// readStructs adds the structs of a file.
func readStructs(structs map[string]structType, file string) error {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	if err != nil {
		return err
	}
	for _, decl := range parsed.Decls {
		general, ok := decl.(*ast.GenDecl)
		if !ok || general.Tok != token.TYPE {
			continue
		}
		for _, spec := range general.Specs {
			spec, ok := spec.(*ast.TypeSpec)
			if !ok {
				continue
			}
			if body, ok := spec.Type.(*ast.StructType); ok {
				doc, _ := split(general.Doc)
				structs[spec.Name.Name] = structType{doc: doc, fields: body.Fields.List}
			}
		}
	}
	return nil
}

type generator struct {
	structs     map[string]structType
	definitions object
}

func (g *generator) structSchema(name string) (object, error) {
	properties := object{}
	var required []string
	for _, field := range g.structs[name].fields {
		if len(field.Names) == 0 {
			// TypeMeta and ObjectMeta are written by hand.
			continue
		}
		tag, err := strconv.Unquote(field.Tag.Value)
		if err != nil {
			return nil, err
		}
		key, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		schema, err := g.typeSchema(field.Type)
		if err != nil {
			return nil, fmt.Errorf("%s.%s: %w", name, field.Names[0], err)
		}
		doc, markers := split(field.Doc)
		if _, isRef := schema["$ref"]; isRef {
			// Draft 7 ignores the members beside a $ref.
			schema = object{"allOf": []any{schema}}
		}
		schema["description"] = doc
		for _, marker := range markers {
			switch name, value, _ := strings.Cut(marker, "="); name {
			case "required":
				required = append(required, key)
			case "kubebuilder:validation:Enum":
				schema["enum"] = strings.Split(value, ";")
			case "kubebuilder:validation:MinLength":
				schema["minLength"] = json.Number(value)
			case "kubebuilder:validation:MaxLength":
				schema["maxLength"] = json.Number(value)
			}
		}
		properties[key] = schema
	}
	schema := object{
		"type":                 "object",
		"description":          g.structs[name].doc,
		"properties":           properties,
		"additionalProperties": false,
	}
	switch name {
	case "Crosswalk":
		properties["apiVersion"] = object{"const": "crosswalk.dev/v1alpha1"}
		properties["kind"] = object{"const": "Crosswalk"}
		properties["metadata"] = metadata()
		required = append(required, "apiVersion", "kind", "metadata")
	case "Row":
		schema["anyOf"] = []any{object{"required": []string{"spoke"}}, object{"required": []string{"hub"}}}
	}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema, nil
}

func (g *generator) typeSchema(expr ast.Expr) (object, error) {
	switch expr := expr.(type) {
	case *ast.StarExpr:
		if name, ok := expr.X.(*ast.Ident); ok && name.Name == "Value" {
			return object{"$ref": "#/definitions/GivenValue"}, nil
		}
		return g.typeSchema(expr.X)
	case *ast.ArrayType:
		items, err := g.typeSchema(expr.Elt)
		return object{"type": "array", "items": items}, err
	case *ast.MapType:
		values, err := g.typeSchema(expr.Value)
		return object{"type": "object", "additionalProperties": values}, err
	case *ast.Ident:
		switch expr.Name {
		case "string", "Admission", "Notation", "Rounding", "Longer", "Doubled", "Side", "Format":
			return object{"type": "string"}, nil
		case "bool":
			return object{"type": "boolean"}, nil
		case "Place", "Names", "Value", "Unit", "Expressions":
			return object{"$ref": "#/definitions/" + expr.Name}, nil
		case "CrosswalkStatus":
			// The cluster writes it. In a file it is ignored.
			return object{"type": "object"}, nil
		}
		if _, known := g.structs[expr.Name]; known {
			return object{"$ref": "#/definitions/" + expr.Name}, g.define(expr.Name)
		}
	}
	return nil, fmt.Errorf("the generator does not support the type %v: add it", expr)
}

func (g *generator) define(name string) error {
	if _, done := g.definitions[name]; done {
		return nil
	}
	g.definitions[name] = nil // rows contain rows: the name must exist while it is defined
	schema, err := g.structSchema(name)
	g.definitions[name] = schema
	return err
}

// split separates a comment into its text, one paragraph a line, and its markers.
func split(comment *ast.CommentGroup) (text string, markers []string) {
	if comment == nil {
		return "", nil
	}
	var lines []string
	for line := range strings.Lines(comment.Text()) {
		line = strings.TrimSpace(line)
		if marker, ok := strings.CutPrefix(line, "+"); ok {
			markers = append(markers, marker)
			continue
		}
		lines = append(lines, line)
	}
	paragraphs := strings.Split(strings.TrimSpace(strings.Join(lines, "\n")), "\n\n")
	for i := range paragraphs {
		paragraphs[i] = strings.ReplaceAll(paragraphs[i], "\n", " ")
	}
	return strings.Join(paragraphs, "\n"), markers
}
