package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

const runUsage = `controlplane run --dir DIR [flags] [-- FLAGS OF KUBE-APISERVER]

Starts etcd and kube-apiserver on free ports of 127.0.0.1, writes DIR/kubeconfig
and DIR/state.json, prints one line that begins with "ready" and runs until
SIGTERM or SIGINT. A later run on the same DIR finds its data, and keeps the
ports that are still free.

`

// run is the command of the same name. It returns the exit code.
func run(args []string) int {
	flags := flag.NewFlagSet("run", flag.ContinueOnError)
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), runUsage)
		flags.PrintDefaults()
	}
	dir := flags.String("dir", "", "where data, logs and the kubeconfig are kept; made if it is missing")
	timeout := flags.Duration("timeout", 2*time.Minute, "how long etcd and the API server may take to be ready")
	attached := flags.Bool("attached", false, "stop when standard input ends; a line `restart` there\nrestarts the API server alone and prints another ready line")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	if *dir == "" {
		fmt.Fprintln(os.Stderr, "controlplane run: --dir is missing; name a folder, for example --dir /tmp/controlplane")
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	var commands io.Reader
	if *attached {
		commands = os.Stdin
	}
	if err := runIn(ctx, *dir, *timeout, flags.Args(), commands, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "controlplane:", err)
		return 1
	}
	return 0
}

// runIn runs a control plane in dir until ctx ends or commands, unless nil, does.
func runIn(ctx context.Context, dir string, timeout time.Duration, extra []string, commands io.Reader, out io.Writer) error {
	began := time.Now()
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	restarts := make(chan struct{})
	if commands != nil {
		go func() {
			defer stop()
			readCommands(ctx, commands, restarts)
		}()
	}
	p, err := newPKI(filepath.Join(dir, "pki"))
	if err != nil {
		return err
	}
	s, err := readState(dir)
	if err != nil {
		return err
	}
	starting, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	etcd, etcdPort, err := startEtcd(starting, dir, s.EtcdPort)
	if err != nil {
		return err
	}
	defer closeEtcd(etcd)
	s.EtcdPort, s.Etcd, s.PID = etcdPort, "http://"+loopback(etcdPort), os.Getpid()

	audit, err := auditFlags(dir)
	if err != nil {
		return err
	}
	o := apiServerOptions{dir: dir, pki: p, etcd: s.Etcd, extra: append(audit, extra...)}
	server, err := startAPIServer(starting, o, s.APIServerPort)
	if err != nil {
		if ctx.Err() != nil {
			return nil // told to stop while it started
		}
		return err
	}
	defer func() { server.stop() }()
	if err := announce(&s, dir, p, server, out, time.Since(began)); err != nil {
		return err
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-etcd.Err():
			return fmt.Errorf("etcd failed: %w; see %s", err, etcdLog(dir))
		case <-server.exited:
			return fmt.Errorf("kube-apiserver ended by itself: %w; the end of %s:\n%s",
				server.exitError(), apiServerLog(dir), tail(apiServerLog(dir)))
		case <-restarts:
			began := time.Now()
			server.stop()
			again, cancel := context.WithTimeout(ctx, timeout)
			next, err := startAPIServer(again, o, s.APIServerPort)
			cancel()
			if err != nil {
				return err
			}
			server = next
			if err := announce(&s, dir, p, server, out, time.Since(began)); err != nil {
				return err
			}
		}
	}
}

// announce writes what clients need and prints the ready line.
func announce(s *state, dir string, p pki, server *apiServer, out io.Writer, took time.Duration) error {
	s.APIServerPort, s.APIServerPID = server.port, server.cmd.Process.Pid
	s.Server = "https://" + loopback(server.port)
	s.CA, s.ClientCert, s.ClientKey = p.caCert, p.adminCert, p.adminKey
	s.Kubeconfig, s.APIServerLog, s.AuditLog = filepath.Join(dir, "kubeconfig"), apiServerLog(dir), auditLog(dir)
	s.Starts++
	if err := writeKubeconfig(s.Kubeconfig, s.Server, p); err != nil {
		return err
	}
	if err := s.write(dir); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "ready %s KUBECONFIG=%s (%.1f s)\n", s.Server, s.Kubeconfig, took.Seconds())
	return err
}

// readCommands reads commands until r or ctx ends.
func readCommands(ctx context.Context, r io.Reader, restarts chan<- struct{}) {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		switch lines.Text() {
		case "restart":
			select {
			case restarts <- struct{}{}:
			case <-ctx.Done():
				return
			}
		default:
			fmt.Fprintf(os.Stderr, "controlplane: unknown command %q on standard input; there is only \"restart\"\n", lines.Text())
		}
	}
}
