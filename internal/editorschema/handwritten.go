package main

// addHandWritten defines the types that accept several shapes of YAML. A test compares them
// with what api/v1alpha1 really decodes.
func (g *generator) addHandWritten() {
	path := object{
		"type":        "string",
		"description": "A path, for example .spec.hostPort or .metadata.annotations['example.com/port'].",
		"pattern":     `^[.\[]`,
	}
	g.definitions["Place"] = object{
		"description": "One path, or several paths by name.",
		"oneOf": []any{
			path,
			object{"type": "object", "minProperties": 1, "additionalProperties": path},
		},
	}
	name := object{"type": "string", "minLength": 1}
	g.definitions["Names"] = object{
		"description": "One field name, or a list of them.",
		"oneOf":       []any{name, object{"type": "array", "minItems": 1, "items": name}},
	}
	g.definitions["Unit"] = object{
		"description": "One unit, or one for either side.",
		"oneOf": []any{
			object{"type": "string"},
			object{"type": "object", "additionalProperties": false, "properties": object{"spoke": object{"type": "string"}, "hub": object{"type": "string"}}},
		},
	}
	expression := object{"type": "string", "minLength": 1, "description": "A CEL expression, for example self.spec.low + 1."}
	g.definitions["Expressions"] = object{
		"description": "One expression, or several by the names of the places that they compute.",
		"oneOf": []any{
			expression,
			object{"type": "object", "minProperties": 1, "additionalProperties": expression},
		},
	}
	g.definitions["Value"] = object{
		"description": "Any value; numbers keep their text.",
	}
	g.definitions["GivenValue"] = object{
		"description": "Any value but null, which would mean that the field is absent; numbers keep their text.",
		"type":        []string{"string", "number", "boolean", "object", "array"},
	}
}

func metadata() object {
	texts := object{"type": "object", "additionalProperties": object{"type": "string"}}
	return object{
		"type":        "object",
		"description": "The name is the name of the CustomResourceDefinition.",
		"required":    []string{"name"},
		"properties": object{
			"name":        object{"type": "string", "description": "The CRD's name, for example crontabs.stable.example.com.", "minLength": 1, "maxLength": 253},
			"labels":      texts,
			"annotations": texts,
		},
	}
}
