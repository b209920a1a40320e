package command

import (
	"fmt"
	"io"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/offline"
	"github.com/crosswalk-dev/crosswalk/internal/report"
)

// explanations holds the explanations of all objects that are converted.
type explanations struct {
	json bool
	// file is the file of the next explanation.
	file string
	all  []offline.Explained
}

func (e *explanations) add(one *conversion.Explanation) {
	e.all = append(e.all, offline.Explained{File: e.file, Explanation: one})
}

func (e *explanations) write(stdout io.Writer) error {
	texts := []string{}
	for _, one := range e.all {
		texts = append(texts, one.Text())
	}
	output, err := []byte(strings.Join(texts, "\n")), error(nil)
	switch {
	case e.json && e.all == nil:
		output = []byte("[]\n")
	case e.json:
		output, err = report.JSON(e.all)
	case e.all == nil:
		output = []byte("Nothing is converted: no object is of a kind with a table and in another version.\n")
	}
	if err != nil {
		return err
	}
	if _, err := stdout.Write(output); err != nil {
		return fmt.Errorf("writing the output: %w", err)
	}
	return nil
}
