// Package removal deletes Crosswalks and Crosswalk itself, as the documentation describes it,
// while clients read and write. No request may fail.
package removal
