package verify

import "github.com/crosswalk-dev/crosswalk/conversion/verify/internal/draw"

// generator draws what cases are made of: objects, fragments of them, edits, damage,
// and changes of tables.
type generator struct{ draw.Generator }

// Coverage counts the classes of input that were generated.
type Coverage = draw.Coverage
