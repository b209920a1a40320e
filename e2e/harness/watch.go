package harness

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// Event is one event of a watch, with the object's bytes as they came.
type Event struct {
	Type   string          `json:"type"`
	Object json.RawMessage `json:"object"`
}

// Watch is an open watch. Close it.
type Watch struct {
	body    io.ReadCloser
	decoder *json.Decoder
}

// Watch opens the watch at path, which holds watch=true in its query. Events come
// until ctx ends.
func (a *API) Watch(ctx context.Context, path string) (*Watch, error) {
	resp, err := a.send(ctx, http.MethodGet, path, "", nil)
	if err != nil {
		return nil, err
	}
	return &Watch{body: resp.Body, decoder: json.NewDecoder(resp.Body)}, nil
}

// Next waits for the next event. A watch that ends is an error.
func (w *Watch) Next() (Event, error) {
	var e Event
	if err := w.decoder.Decode(&e); err != nil {
		if errors.Is(err, io.EOF) {
			return e, errors.New("the watch ended")
		}
		return e, fmt.Errorf("watch: %w", err)
	}
	if e.Type == "ERROR" {
		return e, fmt.Errorf("watch: %s", e.Object)
	}
	return e, nil
}

// Close ends the watch.
func (w *Watch) Close() error { return w.body.Close() }
