// Prometheus' own engine as a program: it evaluates queries over what was scraped, for tests
// that scrape. Its own tests ask the engine which alerts fire, and when.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
)

// request is read from standard input.
type request struct {
	Scrapes []scrape `json:"scrapes"`
	Queries []string `json:"queries"`
}

// scrape is what one process answered, in Prometheus' text format.
type scrape struct {
	Seconds int64             `json:"seconds"` // since some beginning; ascending
	Labels  map[string]string `json:"labels"`  // those of the target: job, instance
	Text    string            `json:"text"`
}

// answer is written to standard output: one result for each query, as of the last scrape.
type answer struct {
	Results []result `json:"results"`
}

type result struct {
	Error   string   `json:"error,omitempty"`
	Samples []sample `json:"samples"`
	// Selectors are the selectors of series in the query, with how many they select.
	Selectors map[string]int `json:"selectors"`
}

type sample struct {
	Labels map[string]string `json:"labels"`
	// Value is text, because JSON has no NaN.
	Value string `json:"value"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "prometheus:", err)
		os.Exit(1)
	}
}

func run() error {
	var asked request
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		return err
	}
	told, err := evaluate(context.Background(), asked)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(told)
}
