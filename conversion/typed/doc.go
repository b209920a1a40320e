// Package typed converts custom resources by Go code, and does not lose values that the code
// loses.
//
// The versions of a kind are types of a runtime.Scheme. Types that implement Hub and
// Convertible of controller-runtime's package conversion are used unchanged. For other types,
// functions convert between a version and the hub. Values that the code loses on the way to
// another version are kept in annotations, in the format of package conversion. They are
// restored on the way back, unless a client has changed the fields that the code computed from
// them:
//
//	c, err := typed.New(crd, scheme, "v1.4.2") // Hub and Convertible
//	c, err := typed.New(crd, scheme, "v1.4.2", typed.Spoke("v1", up, down))
//
// A [Converter] is served like one of package conversion, and checks writes like it.
package typed
