// Package bulk sends the requests of a command that handles many objects: at a limited rate, each
// again if the API server, the network or a webhook fails for a while, with lists in pages, and
// with progress for the user.
package bulk
