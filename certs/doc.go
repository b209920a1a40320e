// Package certs is where serving certificates come from.
//
// A [Source] is asked for the current [Pair] at every handshake, so that a
// renewed certificate needs no restart. [Authority] makes its own, kept in a
// folder. [Folder] and [Secret] read what somebody else keeps: files, such as a
// mounted Secret, or a Secret of the API server.
//
// # The built-in authority
//
// [Keyring] is the authority wherever it is kept: files in a folder, or the data
// of a Secret that `crosswalk manage` keeps. These pieces make it:
//
//	ca.crt         every CA that clients must trust: what a caBundle must hold
//	ca.key         the key of the one that signs
//	next.key       during a rotation, the key of the one that will
//	rotation.json  what has become of the rotation
//
// A CA is valid for ten years, a leaf for 90 days; it is renewed when a third of
// that is left.
//
// # Rotation
//
// It begins by itself a year before the CA expires, or on request: a Secret has
// the annotation [AnnotationRotate], a folder a file named rotate, with any text
// that was not there before, such as the date. The text is remembered when it is
// followed, so it may stay, and taking it away does nothing.
//
//  1. The next CA joins the bundle. Leaves are still issued by the old one.
//  2. Once every caBundle with the old one holds it, the overlap begins: time for the slowest
//     client to take over what its object says. For a folder nobody knows of
//     caBundles, so there the overlap is long ([DefaultFolderOverlap]), and an
//     operator copies ca.crt to them meanwhile.
//  3. The next CA signs, and the leaf is issued anew. The bundle stays as it is.
//  4. When the old CA's last leaf has expired, after 90 days, it leaves the
//     bundle. Who has missed that trusts one CA more than needed, no harm.
//
// Nothing is replaced at once but a CA that has expired.
package certs

// AnnotationRotate on the Secret of the authority asks for a rotation with any
// text that was not there before.
const AnnotationRotate = "crosswalk.dev/rotate"
