// Package config reads what Crosswalk is told to do from files: tables
// (Crosswalk) with the CustomResourceDefinitions that they are for, and policies,
// those of Kubernetes itself among them.
//
// A path is a file, or a folder whose files ending in .yaml, .yml and .json are
// read. Folders inside it are not: a mounted ConfigMap keeps older copies of
// its files there. A file holds any number of documents, and whatever is of
// another kind is left alone, so tables may lie beside the objects that they
// convert.
//
// Everything that is wrong is reported at once, each time with the file, the
// document and the line.
package config
