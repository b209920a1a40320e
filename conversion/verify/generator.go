package verify

import "github.com/crosswalk-dev/crosswalk/conversion/verify/internal/draw"

// generator draws what cases consist of: objects, fragments of them, edits, and damage.
type generator struct{ draw.Generator }

// Coverage counts the classes of input that were generated.
type Coverage = draw.Coverage
