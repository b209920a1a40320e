package policy

import (
	"encoding/base64"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	celmutation "k8s.io/apiserver/pkg/cel/mutation"
	"k8s.io/apiserver/pkg/cel/mutation/dynamic"
)

var patchType = reflect.TypeFor[*celmutation.JSONPatchVal]()

// plain returns what a JSON decoder would return for a value: maps, slices, strings, int64,
// float64, bool and nil. Bytes, times and durations become strings, as protobuf writes them in
// JSON.
func plain(value ref.Val) (any, error) {
	switch v := value.(type) {
	case types.Null:
		return nil, nil
	case types.Bool, types.Int, types.Double, types.String:
		return number(v.Value())
	case types.Uint:
		if v > math.MaxInt64 {
			return nil, fmt.Errorf("the number %d is too large for an object", uint64(v))
		}
		return int64(v), nil
	case types.Bytes:
		return base64.StdEncoding.EncodeToString(v), nil
	case types.Timestamp:
		return v.UTC().Format(time.RFC3339Nano), nil
	case types.Duration:
		return strconv.FormatFloat(v.Seconds(), 'f', -1, 64) + "s", nil
	case *types.Optional:
		if !v.HasValue() {
			return nil, nil
		}
		return plain(v.GetValue())
	case *dynamic.ObjectVal:
		return plainNative(v.Value())
	case traits.Mapper:
		return plainMap(v)
	case traits.Lister:
		return plainList(v)
	case *types.Err:
		return nil, v
	}
	return nil, fmt.Errorf("%v cannot be written into an object: convert it with string()", value.Type())
}

// number rejects numbers that JSON does not have.
func number(v any) (any, error) {
	if f, ok := v.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
		return nil, fmt.Errorf("the number %v cannot be written into an object", f)
	}
	return v, nil
}

func plainMap(m traits.Mapper) (any, error) {
	out := map[string]any{}
	for it := m.Iterator(); it.HasNext() == types.True; {
		key := it.Next()
		name, ok := key.(types.String)
		if !ok {
			return nil, fmt.Errorf("the key %v of a map is not a string", key)
		}
		value, err := plain(m.Get(key))
		if err != nil {
			return nil, err
		}
		out[string(name)] = value
	}
	return out, nil
}

func plainList(l traits.Lister) (any, error) {
	out := []any{}
	for it := l.Iterator(); it.HasNext() == types.True; {
		value, err := plain(it.Next())
		if err != nil {
			return nil, err
		}
		out = append(out, value)
	}
	return out, nil
}

// plainNative converts the fields of an Object, which are Go's values with CEL's values in
// them.
func plainNative(value any) (any, error) {
	switch v := value.(type) {
	case ref.Val:
		return plain(v)
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, member := range v {
			made, err := plainNative(member)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			out[name] = made
		}
		return out, nil
	case []any:
		out := make([]any, len(v))
		for i, element := range v {
			made, err := plainNative(element)
			if err != nil {
				return nil, err
			}
			out[i] = made
		}
		return out, nil
	case error:
		return nil, v
	}
	return plain(types.DefaultTypeAdapter.NativeToValue(value))
}
