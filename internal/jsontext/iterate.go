package jsontext

// Object walks the members of one object. After each Next the caller must set
// End to the end of the member's value, which it learns from [Scanner.Value]
// or by walking the value itself.
type Object struct {
	s *Scanner
	// Value is where the current member's value starts.
	Value int
	// End is where the walk continues. The caller sets it after each member. When Next reports
	// that there are no more members, End is just past the closing brace.
	End   int
	mark  int
	begun bool
}

// Object starts to walk the object that opens at pos.
func (s *Scanner) Object(pos int) Object {
	return Object{s: s, End: pos + 1, mark: s.names.open()}
}

// Name is a member's name as it is in the text.
type Name struct {
	// Span is the name without its quotes.
	Span
	// Escaped reports that the span has escapes and must be unquoted before it is compared.
	Escaped bool
}

// Next moves to the next member. Names must be unique within the object.
func (o *Object) Next() (Name, bool, error) {
	s := o.s
	src := s.Src
	pos := s.Space(o.End)
	if pos >= len(src) {
		if o.begun {
			return Name{}, false, unexpected(src, pos, "a comma or }")
		}
		return Name{}, false, unexpected(src, pos, "a member name or }")
	}
	if src[pos] == '}' {
		o.End = pos + 1
		return Name{}, false, s.names.close(src, o.mark)
	}
	if o.begun {
		if src[pos] != ',' {
			return Name{}, false, unexpected(src, pos, "a comma or }")
		}
		pos = s.Space(pos + 1)
	}
	o.begun = true
	if pos >= len(src) || src[pos] != '"' {
		return Name{}, false, unexpected(src, pos, "a member name")
	}
	end, escaped, err := s.String(pos)
	if err != nil {
		return Name{}, false, err
	}
	name := Name{Span{int32(pos + 1), int32(end - 1)}, escaped}
	if err := s.names.add(src, o.mark, name); err != nil {
		return Name{}, false, err
	}
	pos = s.Space(end)
	if pos >= len(src) || src[pos] != ':' {
		return Name{}, false, unexpected(src, pos, "a colon")
	}
	o.Value = s.Space(pos + 1)
	return name, true, nil
}

// Array walks the elements of one array, as [Object] walks members.
type Array struct {
	s *Scanner
	// Value is where the current element starts.
	Value int
	// End is the same as in [Object].
	End   int
	begun bool
}

// Array starts to walk the array that opens at pos.
func (s *Scanner) Array(pos int) Array { return Array{s: s, End: pos + 1} }

// Next moves to the next element.
func (a *Array) Next() (bool, error) {
	s := a.s
	src := s.Src
	pos := s.Space(a.End)
	if pos >= len(src) {
		return false, unexpected(src, pos, "an element or ]")
	}
	if src[pos] == ']' {
		a.End = pos + 1
		return false, nil
	}
	if a.begun {
		if src[pos] != ',' {
			return false, unexpected(src, pos, "a comma or ]")
		}
		pos = s.Space(pos + 1)
	}
	a.begun = true
	a.Value = pos
	return true, nil
}

// Member returns a member of an object that is valid JSON, nil if it has none.
func Member(object []byte, name string) []byte {
	var scan Scanner
	scan.Reset(object)
	for o := scan.Object(0); ; {
		n, ok, err := o.Next()
		if err != nil || !ok {
			return nil
		}
		if o.End, err = scan.Skim(o.Value); err != nil {
			return nil
		}
		text := n.Bytes(object)
		if n.Escaped {
			text = Unquote(nil, text)
		}
		if string(text) == name {
			return object[o.Value:o.End]
		}
	}
}
