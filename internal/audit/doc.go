// Package audit finds the objects of a cluster that break a policy, or that cannot be shown in
// every served version of their kind.
//
// # What is asked about an object
//
// Would it be accepted if it were created now? So a policy sees each object as the API server
// would show its creation: in a version that the policy's rules name, with no oldObject, and
// without changes by mutation policies. Rules are evaluated whatever the policy does about them,
// so that a policy that only warns or notes is audited before it denies. Not audited are
// policies that are about no creation, and policies whose result depends on the writer, unless a
// writer is named.
//
// The objects of a kind with a Crosswalk are also converted to every other served version, in
// this process, and checked for values that another version can't represent: the same check
// that a write gets.
//
// # What is read
//
// Tables and policies are read once, at the beginning. Objects are listed in pages, each kind in
// one version, or in several if policies name different ones and this process cannot convert.
// Params and lookups are read as crosswalk serve reads them, with the rights of the user.
// Nothing is written.
package audit
