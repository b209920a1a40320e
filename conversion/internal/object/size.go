package object

import "fmt"

// LargestMaxSize is the highest limit for the length of an object, in bytes: offsets in it have 32
// bits.
const LargestMaxSize = 1 << 30

// CheckSize returns an error if an object is longer than limit bytes. raise is how to set a higher
// limit.
func CheckSize(object []byte, limit int, raise string) error {
	if len(object) <= limit {
		return nil
	}
	return fmt.Errorf("the object is %d bytes long, and the limit is %d; the API server takes no write above 3145728, and %s raises the limit", len(object), limit, raise)
}
