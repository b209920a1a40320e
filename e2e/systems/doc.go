// Package systems holds the end-to-end tests that every example passes alike.
// What an example must do is data: a file for each example says what its objects
// are in every version, and the tests do the rest, through every version and with
// every version stored.
package systems
