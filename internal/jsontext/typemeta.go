package jsontext

// TypeMeta returns the apiVersion and the kind of the object at pos. They usually come first,
// and it reads no further than it must. A member that is missing or not a string is nil.
func (s *Scanner) TypeMeta(pos int) (apiVersion, kind []byte, err error) {
	o := s.Object(pos)
	for apiVersion == nil || kind == nil {
		name, more, err := o.Next()
		if err != nil {
			return nil, nil, err
		}
		if !more {
			break
		}
		if o.End, err = s.Value(o.Value, 1); err != nil {
			return nil, nil, err
		}
		if s.Src[o.Value] != '"' {
			continue
		}
		text := name.Bytes(s.Src)
		if name.Escaped {
			text = Unquote(nil, text)
		}
		value := Unquoted(s.Src[o.Value+1 : o.End-1])
		switch string(text) {
		case "apiVersion":
			apiVersion = value
		case "kind":
			kind = value
		}
	}
	return apiVersion, kind, nil
}
