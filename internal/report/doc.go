// Package report formats the reports of several commands: lines that differ, JUnit, and JSON
// for programs.
package report
