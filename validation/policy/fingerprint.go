package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// fingerprintOf returns the fingerprint of a spec and the specs of its bindings.
func fingerprintOf(specs ...any) string {
	hash := sha256.New()
	// API types consist of strings, numbers and lists, so encoding cannot fail.
	_ = json.NewEncoder(hash).Encode(specs)
	return hex.EncodeToString(hash.Sum(nil)[:8])
}
