// Package crontab holds the end-to-end tests of examples/crontab: a real API
// server converts CronTabs through the real program, with either version stored
// and every operation done through either version.
package crontab
