// Package certs is where serving certificates come from.
//
// A [Source] is asked for the current [Pair] at every handshake, so that a
// renewed certificate needs no restart. [Authority] makes its own, kept in a
// folder; [Folder] reads files that somebody else keeps, such as a mounted
// Secret.
package certs
