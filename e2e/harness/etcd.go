package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// ErrNoKey says that etcd has no such key.
var ErrNoKey = errors.New("etcd has no such key")

// EtcdValue reads the raw value of one key from etcd, past the API server. Custom
// resources are stored as JSON under /registry/GROUP/RESOURCE/NAMESPACE/NAME.
// It uses etcd's JSON gateway:
// https://etcd.io/docs/v3.6/dev-guide/api_grpc_gateway/
func (c *ControlPlane) EtcdValue(ctx context.Context, key string) ([]byte, error) {
	// A []byte is base64 in JSON, which is how the gateway wants keys.
	body, err := json.Marshal(map[string][]byte{"key": []byte(key)})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.Etcd+"/v3/kv/range", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("etcd: %s: %s", resp.Status, data)
	}
	var answer struct {
		KVs []struct {
			Value []byte `json:"value"`
		} `json:"kvs"`
	}
	if err := json.Unmarshal(data, &answer); err != nil {
		return nil, fmt.Errorf("etcd: %w", err)
	}
	if len(answer.KVs) == 0 {
		return nil, fmt.Errorf("%w: %s", ErrNoKey, key)
	}
	return answer.KVs[0].Value, nil
}
