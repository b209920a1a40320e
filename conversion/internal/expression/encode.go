package expression

import (
	"encoding/base64"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/crosswalk-dev/crosswalk/conversion/internal/schema"
	"github.com/crosswalk-dev/crosswalk/internal/jsontext"
)

// maxDepth is how deep a value of an expression may nest. It is far above what people write, and
// within what an object may have.
const maxDepth = 1000

// encode appends a value as JSON, if the field can have it with everything inside. It reports
// absence for optional.none(), and for null if the field is not nullable.
func encode(dst []byte, v ref.Val, s *schema.Schema, depth int) (out []byte, absent bool, err error) {
	if s == nil {
		s = schema.Any()
	}
	if depth > maxDepth {
		return dst, false, fmt.Errorf("the value is nested more than %d levels deep", maxDepth)
	}
	start := len(dst)
	switch v := v.(type) {
	case *types.Optional:
		if !v.HasValue() {
			return dst, true, nil
		}
		return encode(dst, v.GetValue(), s, depth)
	case types.Null:
		if !s.Nullable {
			return dst, true, nil
		}
		return append(dst, "null"...), false, nil
	case *types.Err:
		return dst, false, v
	case traits.Mapper:
		dst, err = encodeObject(dst, v, s, depth)
	case traits.Lister:
		dst, err = encodeList(dst, v, s, depth)
	default:
		dst, err = encodeScalar(dst, v, s)
	}
	if err != nil {
		return dst[:start], false, err
	}
	if text := dst[start:]; !s.Holds(text) {
		return dst[:start], false, fmt.Errorf("%s is not of type %s", shortened(text), s.Describe())
	}
	return dst, false, nil
}

func encodeList(dst []byte, l traits.Lister, s *schema.Schema, depth int) ([]byte, error) {
	dst = append(dst, '[')
	open := len(dst)
	for it := l.Iterator(); it.HasNext() == types.True; {
		if len(dst) > open {
			dst = append(dst, ',')
		}
		var absent bool
		var err error
		if dst, absent, err = encode(dst, it.Next(), s.Items, depth+1); err != nil {
			return dst, err
		}
		if absent {
			return dst, fmt.Errorf("an element of a list is null, which is not valid there")
		}
	}
	return append(dst, ']'), nil
}

func encodeObject(dst []byte, m traits.Mapper, s *schema.Schema, depth int) ([]byte, error) {
	values, err := members(m)
	if err != nil {
		return dst, err
	}
	dst = append(dst, '{')
	open := len(dst)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		of := s.Member(name)
		if of == nil && s.IsObject() {
			return dst, fmt.Errorf("the schema has no field %s there", name)
		}
		before := len(dst)
		if before > open {
			dst = append(dst, ',')
		}
		dst = append(jsontext.Quote(dst, name), ':')
		var absent bool
		if dst, absent, err = encode(dst, values[name], of, depth+1); err != nil {
			return dst, fmt.Errorf("%s: %w", name, err)
		}
		if absent {
			dst = dst[:before]
		}
	}
	return append(dst, '}'), nil
}

// members returns the members of an object by their names in JSON.
func members(m traits.Mapper) (map[string]ref.Val, error) {
	values := map[string]ref.Val{}
	if r, ok := m.(*record); ok {
		for _, name := range r.names {
			values[name] = r.Mapper.Get(types.String(name))
		}
		return values, nil
	}
	for it := m.Iterator(); it.HasNext() == types.True; {
		key := it.Next()
		name, ok := key.(types.String)
		if !ok {
			return nil, fmt.Errorf("the key %v of a map is not a string", key)
		}
		values[string(name)] = m.Get(key)
	}
	return values, nil
}

// encodeScalar writes numbers as the API server does, and values that JSON has no type for as
// string() does.
func encodeScalar(dst []byte, v ref.Val, s *schema.Schema) ([]byte, error) {
	switch v := v.(type) {
	case types.Bool:
		return strconv.AppendBool(dst, bool(v)), nil
	case types.Int:
		return strconv.AppendInt(dst, int64(v), 10), nil
	case types.Uint:
		if v > math.MaxInt64 {
			return dst, fmt.Errorf("the number %d is larger than the API server can keep exactly", uint64(v))
		}
		return strconv.AppendUint(dst, uint64(v), 10), nil
	case types.Double:
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return dst, fmt.Errorf("JSON can't represent the number %v", float64(v))
		}
		return jsontext.AppendNumber(dst, strconv.AppendFloat(nil, float64(v), 'g', -1, 64)), nil
	case types.String:
		return jsontext.Quote(dst, string(v)), nil
	case types.Bytes:
		return jsontext.Quote(dst, base64.StdEncoding.EncodeToString(v)), nil
	case types.Timestamp:
		if s.Format == "date" {
			return jsontext.Quote(dst, v.UTC().Format(time.DateOnly)), nil
		}
		return jsontext.Quote(dst, v.UTC().Format(time.RFC3339Nano)), nil
	case types.Duration:
		return jsontext.Quote(dst, strconv.FormatFloat(v.Seconds(), 'f', -1, 64)+"s"), nil
	}
	if text, ok := v.Value().(fmt.Stringer); ok {
		return jsontext.Quote(dst, text.String()), nil // a quantity, an address or a URL
	}
	return dst, fmt.Errorf("a value of type %s cannot be written: convert it with string()", v.Type().TypeName())
}

func shortened(text []byte) []byte {
	if len(text) > 40 {
		return append(text[:40:40], "..."...)
	}
	return text
}
