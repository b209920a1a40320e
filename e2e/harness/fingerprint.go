package harness

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
)

// fingerprint reads from the log of crosswalk serve which table it has loaded for
// a CRD. The program's own word counts: it may be of another build than this one.
func fingerprint(log, crd string) (string, error) {
	data, err := os.ReadFile(log)
	if err != nil {
		return "", err
	}
	found := ""
	for line := range bytes.Lines(data) {
		var entry struct{ Msg, CRD, Fingerprint string }
		if json.Unmarshal(line, &entry) == nil && entry.Msg == "loaded a table" && entry.CRD == crd {
			found = entry.Fingerprint
		}
	}
	if found == "" {
		return "", fmt.Errorf("%s does not say that a table for %s was loaded", log, crd)
	}
	return found, nil
}
