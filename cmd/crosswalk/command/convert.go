package command

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/internal/manifest"
	"github.com/crosswalk-dev/crosswalk/internal/offline"
)

// stdinName is the name of standard input in messages.
const stdinName = "standard input"

type convertOptions struct {
	program   Options
	config    []string
	files     []string
	to        string
	output    string
	keepStash bool
	explain   bool
	objects   objectOptions
}

func newConvertCommand(program Options) *cobra.Command {
	o := convertOptions{program: program}
	cmd := &cobra.Command{
		Use:   "convert --config PATH --to VERSION [-f FILE]...",
		Short: "Convert the objects in files, without a cluster",
		Long: `Convert the objects in files, without a cluster.

Documents are read from files, folders or standard input, as YAML or JSON, any number
in each. They are printed in the same order and format. Objects of a kind with a table
are converted, and so are those inside a List. Everything else is printed byte for byte
as it was read. Numbers keep their text.

Crosswalk's own annotations are removed, because whoever applies an object with them
owns them. With --keep-stash they stay, and converting back restores what this version
can't represent.

With --explain the objects are not printed. Instead, for each field of the result,
convert prints what has written it: a row with the fields that it read, a default, a
constant, the stash, or Go code of the program. It also lists what is kept, dropped or
not used, with the reason.

A document that cannot be converted is named on standard error and left out. The
others are printed, and the exit code is 1.`,
		Example: `  # What a v1beta1 manifest looks like in v1
  crosswalk convert --config examples/crontab --to v1 -f crontab.yaml

  # All objects of a cluster, in a pipe
  kubectl get crontabs -A -o yaml | crosswalk convert --config examples/crontab --to v1

  # Where each field of the result comes from, and what v1 can't represent
  crosswalk convert --config examples/crontab --to v1 -f crontab.yaml --explain`,
		Args: noArguments("files are given with -f"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.run(cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&o.config, "config", nil, "file or folder with CustomResourceDefinitions and Crosswalks; repeatable")
	flags.StringArrayVarP(&o.files, "filename", "f", []string{"-"}, "file or folder to convert, - is standard input; repeatable")
	flags.StringVar(&o.to, "to", "", "version to convert to, v1 or GROUP/v1 to convert one group only")
	flags.StringVarP(&o.output, "output", "o", "", "format to print, yaml or json, for all documents (default: the format of each input)")
	flags.BoolVar(&o.explain, "explain", false, "print what has written each field of the result, and what is kept and why, as text or, with -o json, for programs")
	flags.BoolVar(&o.keepStash, "keep-stash", false, "keep Crosswalk's annotations, so that converting back loses nothing")
	o.objects.addFlags(flags)
	return cmd
}

func (o *convertOptions) run(stdin io.Reader, stdout, stderr io.Writer) error {
	explanations := &explanations{json: o.output == "json"}
	rewriter, err := o.rewriter(explanations)
	if err != nil {
		return err
	}
	failed := false
	report := func(name string, err error) {
		failed = true
		fmt.Fprintf(stderr, "crosswalk: %s: %v\n", name, err)
	}
	output := joiner{out: stdout}
	for _, path := range o.files {
		names := []string{path}
		if path != "-" {
			if names, err = manifest.Files(path); err != nil {
				report(path, err)
			}
		}
		for _, name := range names {
			data, err := read(name, stdin)
			if name == "-" {
				name = stdinName
			}
			if err != nil {
				report(name, err)
				continue
			}
			explanations.file = name
			converted, failures := rewriter.Rewrite(nil, data)
			for _, failure := range failures {
				report(name, failure)
			}
			if o.explain {
				continue
			}
			if err := output.add(converted); err != nil {
				return fmt.Errorf("writing the output: %w", err)
			}
		}
	}
	if o.explain {
		if err := explanations.write(stdout); err != nil {
			return err
		}
	}
	if failed {
		return errReported
	}
	return nil
}

func (o *convertOptions) rewriter(explanations *explanations) (*offline.Rewriter, error) {
	switch {
	case len(o.config) == 0 && len(o.program.Typed) == 0:
		return nil, usagef("--config is missing: name the files or folders with the CRDs and tables")
	case slices.Contains(o.config, ""):
		return nil, usagef("--config is empty: name the files or folders with the CRDs and tables")
	case slices.Contains(o.files, ""):
		return nil, usagef("--filename is empty: name a file or folder, or - for standard input")
	case o.to == "":
		return nil, usagef("--to is missing: name the version to convert to")
	case o.explain && o.output != "" && o.output != "json":
		return nil, usagef("--output %s: explanations are text or json", o.output)
	case o.explain && o.keepStash:
		return nil, usagef("--explain and --keep-stash exclude each other: --explain prints no object")
	}
	if err := o.objects.check(); err != nil {
		return nil, err
	}
	output, err := format(o.output)
	if err != nil {
		return nil, err
	}
	target, err := offline.ParseTarget(o.to)
	if err != nil {
		return nil, usagef("--to %s: %w", o.to, err)
	}
	kinds, err := o.kinds()
	if err != nil {
		return nil, usagef("%w", err)
	}
	rewriter := &offline.Rewriter{Target: target, Output: output}
	for _, k := range kinds {
		kind := offline.Kind{Converter: k.Explaining, ListKind: k.listKind}
		if o.explain {
			kind.Converter = &offline.Explainer{Explaining: k.Explaining, Tell: explanations.add}
		}
		rewriter.Kinds = append(rewriter.Kinds, kind)
	}
	if err := target.Check(rewriter.Kinds); err != nil {
		return nil, usagef("--to %s: %w", o.to, err)
	}
	if !o.keepStash {
		rewriter.Strip = conversion.Strip
	}
	return rewriter, nil
}

func format(output string) (*manifest.Format, error) {
	formats := map[string]manifest.Format{"yaml": manifest.YAML, "json": manifest.JSON}
	switch format, known := formats[output]; {
	case output == "":
		return nil, nil
	case known:
		return &format, nil
	}
	return nil, usagef("--output %s: use yaml or json", output)
}

func read(name string, stdin io.Reader) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(stdin)
	}
	return manifest.ReadFile(name)
}

// joiner writes streams one after another so that together they are one stream: with a line
// "---" between two streams if either is YAML.
type joiner struct {
	out  io.Writer
	last []byte
}

func (j *joiner) add(stream []byte) error {
	if len(stream) == 0 {
		return nil
	}
	if len(j.last) > 0 {
		separator := ""
		if j.last[len(j.last)-1] != '\n' {
			separator = "\n"
		}
		bothJSON := manifest.Detect(j.last) == manifest.JSON && manifest.Detect(stream) == manifest.JSON
		marked := bytes.HasPrefix(stream, []byte("---")) && bytes.ContainsAny(stream[3:min(4, len(stream))], " \t\r\n")
		if !bothJSON && !marked {
			separator += "---\n"
		}
		if _, err := io.WriteString(j.out, separator); err != nil {
			return err
		}
	}
	j.last = stream
	_, err := j.out.Write(stream)
	return err
}
