// Package config reads Crosswalk's configuration from files: tables (Crosswalk) with their
// CustomResourceDefinitions, and policies, including those of Kubernetes itself.
//
// A path is a file, or a folder whose files ending in .yaml, .yml and .json are read. Folders
// inside it are skipped, because a mounted ConfigMap keeps older copies of its files there. A
// file holds any number of documents. Documents of other kinds are ignored, so tables may be in
// the same files as the objects that they convert.
//
// All errors are reported at once, each with the file, the document and the line.
package config
