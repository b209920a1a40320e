// Package guard writes objects as clients do that drop, copy or forge what other
// versions hold, and sees that nothing is lost or comes back; and that the API server
// asks Crosswalk about the writes that it should, and no others.
package guard
