package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"syscall"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
)

// startEtcd starts a single etcd member on loopback that keeps its data in dir,
// and waits until it serves. It returns the client port, preferred where free.
func startEtcd(ctx context.Context, dir string, preferred int) (*embed.Etcd, int, error) {
	for attempt := 1; ; attempt++ {
		port, err := freePort(preferred)
		if err != nil {
			return nil, 0, err
		}
		etcd, err := embed.StartEtcd(etcdConfig(dir, port))
		if errors.Is(err, syscall.EADDRINUSE) && attempt < 5 {
			preferred = 0
			continue
		}
		if err != nil {
			return nil, 0, fmt.Errorf("etcd in %s: %w; see %s", dir, err, etcdLog(dir))
		}
		select {
		case <-etcd.Server.ReadyNotify():
			return etcd, port, nil
		case err := <-etcd.Err():
			etcd.Close()
			return nil, 0, fmt.Errorf("etcd in %s: %w; see %s", dir, err, etcdLog(dir))
		case <-ctx.Done():
			etcd.Close()
			return nil, 0, fmt.Errorf("etcd in %s: not ready: %w; see %s", dir, ctx.Err(), etcdLog(dir))
		}
	}
}

func etcdConfig(dir string, port int) *embed.Config {
	config := embed.NewConfig()
	config.Name = "controlplane"
	config.Dir = filepath.Join(dir, "etcd")
	client := url.URL{Scheme: "http", Host: loopback(port)}
	config.ListenClientUrls = []url.URL{client}
	config.AdvertiseClientUrls = []url.URL{client}
	// There are no peers. The peer URL is part of the member's identity, so it
	// must not change from run to run: port 0 listens wherever there is room.
	peer := url.URL{Scheme: "http", Host: loopback(0)}
	config.ListenPeerUrls = []url.URL{peer}
	config.AdvertisePeerUrls = []url.URL{peer}
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	// Data outlives a killed process without fsync; only a machine's crash loses
	// it, which is no loss for a test, and fsync would be most of its time.
	config.UnsafeNoFsync = true
	config.LogLevel = "warn"
	config.LogOutputs = []string{etcdLog(dir)}
	return config
}

func etcdLog(dir string) string { return filepath.Join(dir, "etcd.log") }

// etcdGrace is how long etcd may take to end. What it has acknowledged is on disk
// already, so that one that hangs loses nothing by being left.
const etcdGrace = 5 * time.Second

func closeEtcd(etcd *embed.Etcd) {
	closed := make(chan struct{})
	go func() {
		etcd.Close()
		close(closed)
	}()
	select {
	case <-closed:
	case <-time.After(etcdGrace):
	}
}
