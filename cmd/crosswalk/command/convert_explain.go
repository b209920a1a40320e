package command

import (
	"fmt"
	"io"
	"strings"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/offline"
	"github.com/crosswalk-dev/crosswalk/internal/report"
)

// explanations are those of all objects that are converted.
type explanations struct {
	json bool
	// file is where the next one was read.
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
	said, err := []byte(strings.Join(texts, "\n")), error(nil)
	switch {
	case e.json && e.all == nil:
		said = []byte("[]\n")
	case e.json:
		said, err = report.JSON(e.all)
	case e.all == nil:
		said = []byte("Nothing is converted: no object is of a kind that a table is for and in another version.\n")
	}
	if err != nil {
		return err
	}
	if _, err := stdout.Write(said); err != nil {
		return fmt.Errorf("writing the output: %w", err)
	}
	return nil
}
