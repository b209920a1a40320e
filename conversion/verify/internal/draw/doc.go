// Package draw generates JSON from structural schemas: values for every keyword that CRDs may have,
// with names and texts that are difficult to convert. It records the classes of what it generates.
package draw
