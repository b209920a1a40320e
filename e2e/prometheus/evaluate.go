package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb"
)

// evaluate stores the scrapes and evaluates the queries at the time of the last one.
func evaluate(ctx context.Context, asked request) (_ answer, err error) {
	dir, err := os.MkdirTemp("", "prometheus")
	if err != nil {
		return answer{}, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	db, err := tsdb.Open(dir, slog.New(slog.DiscardHandler), nil, tsdb.DefaultOptions(), nil)
	if err != nil {
		return answer{}, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	// The engine looks back, and time begins at 1970.
	began, last := time.Now(), time.Time{}
	for _, s := range asked.Scrapes {
		last = began.Add(time.Duration(s.Seconds) * time.Second)
		if err := store(db.Appender(ctx), s, last); err != nil {
			return answer{}, fmt.Errorf("the scrape of %v: %w", s.Labels, err)
		}
	}
	engine := promql.NewEngine(promql.EngineOpts{MaxSamples: 1e7, Timeout: time.Minute, LookbackDelta: 5 * time.Minute, Parser: parser.NewParser(parser.Options{})})
	var told answer
	for _, query := range asked.Queries {
		told.Results = append(told.Results, ask(ctx, engine, db, query, last))
	}
	return told, nil
}

// store appends a scrape as Prometheus does one of the text format.
func store(appender storage.Appender, s scrape, at time.Time) error {
	symbols := labels.NewSymbolTable()
	text, err := textparse.New([]byte(s.Text), "text/plain", symbols, textparse.ParserOptions{})
	if err != nil {
		return err
	}
	for {
		entry, err := text.Next()
		if errors.Is(err, io.EOF) {
			return appender.Commit()
		}
		if err != nil {
			return err
		}
		if entry != textparse.EntrySeries {
			continue
		}
		_, _, value := text.Series()
		var series labels.Labels
		text.Labels(&series)
		all := labels.NewBuilder(series)
		for name, value := range s.Labels {
			all.Set(name, value)
		}
		if _, err := appender.Append(0, all.Labels(), at.UnixMilli(), value); err != nil {
			return err
		}
	}
}

// ask evaluates a query and each of its selectors.
func ask(ctx context.Context, engine *promql.Engine, queryable storage.Queryable, query string, at time.Time) result {
	told := result{Selectors: map[string]int{}}
	expr, err := parser.NewParser(parser.Options{}).ParseExpr(query)
	if err != nil {
		told.Error = err.Error()
		return told
	}
	if told.Samples, err = instant(ctx, engine, queryable, query, at); err != nil {
		told.Error = err.Error()
		return told
	}
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		if selector, ok := node.(*parser.VectorSelector); ok {
			selected, err := instant(ctx, engine, queryable, selector.String(), at)
			if err != nil {
				told.Error = err.Error()
			}
			told.Selectors[selector.String()] = len(selected)
		}
		return nil
	})
	return told
}

// instant is what a query gives at one time.
func instant(ctx context.Context, engine *promql.Engine, queryable storage.Queryable, query string, at time.Time) ([]sample, error) {
	asked, err := engine.NewInstantQuery(ctx, queryable, nil, query, at)
	if err != nil {
		return nil, err
	}
	defer asked.Close()
	given := asked.Exec(ctx)
	if given.Err != nil {
		return nil, given.Err
	}
	if scalar, ok := given.Value.(promql.Scalar); ok {
		return []sample{{Value: strconv.FormatFloat(scalar.V, 'g', -1, 64)}}, nil
	}
	vector, err := given.Vector()
	if err != nil {
		return nil, err
	}
	samples := []sample{}
	for _, s := range vector {
		samples = append(samples, sample{s.Metric.Map(), strconv.FormatFloat(s.F, 'g', -1, 64)})
	}
	return samples, nil
}
