package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// fingerprintOf is that of a spec, with those of its bindings.
func fingerprintOf(specs ...any) string {
	hash := sha256.New()
	// API types with strings, numbers and lists: encoding cannot fail.
	_ = json.NewEncoder(hash).Encode(specs)
	return hex.EncodeToString(hash.Sum(nil)[:8])
}
