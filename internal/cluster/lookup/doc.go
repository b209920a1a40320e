// Package lookup reads what policies look at beyond the request: the objects of the
// kinds that they declare, from caches that watch or live; namespaces; how objects
// are merged; and who may do what. It reads nothing that no policy has declared, and
// writes nothing.
package lookup
