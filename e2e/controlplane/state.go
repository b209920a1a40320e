package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// state is what state.json in the control plane's directory says. It is written
// each time the API server becomes ready, and read again on the next run so that
// addresses stay the same where their ports are still free.
type state struct {
	// Server is the API server's URL.
	Server string `json:"server"`
	// Etcd is etcd's client URL. It speaks gRPC, and JSON under /v3/.
	Etcd string `json:"etcd"`
	// Kubeconfig is the path of a kubeconfig for system:masters.
	Kubeconfig string `json:"kubeconfig"`
	// CA, ClientCert and ClientKey are the PEM files that the kubeconfig holds.
	CA         string `json:"ca"`
	ClientCert string `json:"clientCert"`
	ClientKey  string `json:"clientKey"`
	// APIServerLog is the API server's log.
	APIServerLog string `json:"apiServerLog"`
	// AuditLog has a line of JSON, an Event of audit.k8s.io/v1, for every request that
	// was not the administrator's.
	AuditLog string `json:"auditLog"`
	// PID is the process that runs etcd and watches over the API server.
	PID int `json:"pid"`
	// APIServerPID is the API server's own process.
	APIServerPID int `json:"apiServerPID"`
	// APIServerPort and EtcdPort are the ports in the URLs.
	APIServerPort int `json:"apiServerPort"`
	EtcdPort      int `json:"etcdPort"`
	// Starts counts how often the API server became ready in this directory.
	Starts int `json:"starts"`
}

func statePath(dir string) string { return filepath.Join(dir, "state.json") }

// readState returns the state that an earlier run left in dir, or a zero state.
func readState(dir string) (state, error) {
	var s state
	data, err := os.ReadFile(statePath(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return s, fmt.Errorf("%s: %w; remove the file to start with new ports", statePath(dir), err)
	}
	return s, nil
}

// write replaces the state file in dir, never leaving a half-written one.
func (s state) write(dir string) error {
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return replaceFile(statePath(dir), append(data, '\n'), 0o600)
}

func replaceFile(path string, data []byte, mode fs.FileMode) error {
	next := path + ".next"
	if err := os.WriteFile(next, data, mode); err != nil {
		return err
	}
	return os.Rename(next, path)
}
