// Package report holds what the reports of several commands are made of: lines
// that differ, JUnit, and JSON for programs.
package report
