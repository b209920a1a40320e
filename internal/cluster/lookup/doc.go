// Package lookup reads what policies use beyond the request: the objects of the kinds that they
// declare, from caches or live; namespaces; how objects are merged; and the rights of users. It
// reads nothing that no policy has declared, and writes nothing.
package lookup
