// Package certs provides serving certificates.
//
// A server asks a [Source] for the current [Pair] at every handshake, so a renewed certificate
// needs no restart. [Authority] issues its own pair, and keeps it in a folder. [Folder] and
// [Secret] read a pair that somebody else keeps: files, such as a mounted Secret, or a Secret
// of the API server.
//
// # The built-in authority
//
// [Keyring] is the state of the authority. It is kept as files in a folder, or as the data of a
// Secret that `crosswalk manage` writes. These are its pieces:
//
//	ca.crt         all CAs that clients must trust: the content of every caBundle
//	ca.key         the key of the CA that signs
//	next.key       during a rotation, the key of the next CA
//	rotation.json  the state of the rotation
//
// A CA is valid for ten years, a leaf for 90 days. A leaf is renewed when a third of its life
// is left.
//
// # Rotation
//
// A rotation begins by itself a year before the CA expires, or on request: a Secret asks with
// the annotation [AnnotationRotate], a folder with a file named rotate. The request is any new
// text, such as the date. The keyring remembers the last request that it followed, so the text
// may stay, and removing it does nothing.
//
//  1. The next CA joins the bundle. The old CA still issues the leaves.
//  2. Once every caBundle that holds the old CA also holds the next one, the overlap begins:
//     time for the slowest client to read the new bundle. Nobody knows which caBundles are
//     copied from a folder, so its overlap is long ([DefaultFolderOverlap]). An operator
//     copies ca.crt to them meanwhile.
//  3. The next CA signs, and the leaf is issued anew. The bundle stays the same.
//  4. When the old CA's last leaf has expired, after 90 days, the old CA leaves the bundle.
//     A client that keeps the larger bundle trusts one CA more than needed, which is harmless.
//
// Only a CA that has expired is replaced at once.
//
// # Loss
//
// If the key of the CA that signed is lost, a rotation begins at once. It is known from what is
// served, which clients trust: its CAs are retired, and stay in the bundle. The leaf cannot be
// renewed until the next CA signs. If nothing is served either, a new CA signs at once.
package certs

// AnnotationRotate, on the Secret of the authority, asks for a rotation. Its value is any text
// that it did not have before.
const AnnotationRotate = "crosswalk.dev/rotate"
