// Package places finds the places of an object that the rows of a table name.
package places
