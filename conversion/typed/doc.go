// Package typed converts custom resources by Go code, and loses nothing all the
// same.
//
// The versions of a kind are types of a runtime.Scheme. Those that implement
// controller-runtime's conversion.Hub and conversion.Convertible are used as they
// are; for others, functions say what a version is to the hub. What the code loses
// on the way to another version travels in annotations, in the format of package
// conversion, and comes back where nobody has changed what the code makes of it:
//
//	c, err := typed.New(crd, scheme, "v1.4.2") // Hub and Convertible
//	c, err := typed.New(crd, scheme, "v1.4.2", typed.Spoke("v1", up, down))
//
// A [Converter] is served as one of package conversion is, and like it looks at
// writes.
package typed
