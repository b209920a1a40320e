package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// stopGrace is how long an API server may take to end its requests. The watches
// of clients that live on would keep it for a minute.
const stopGrace = 3 * time.Second

// apiServer is a kube-apiserver in a process of its own, so that it can be
// restarted with cold caches while etcd keeps running.
type apiServer struct {
	port int
	cmd  *exec.Cmd
	// stdin is the pipe whose end tells the child that we are gone.
	stdin io.WriteCloser
	// exited is closed when the process has ended; err is valid then.
	exited chan struct{}
	err    error
}

// apiServerOptions is what stays the same when the API server restarts.
type apiServerOptions struct {
	dir   string
	pki   pki
	etcd  string   // etcd's client URL
	extra []string // further flags of kube-apiserver, after our own
}

// startAPIServer starts kube-apiserver and waits until it serves. The port is the
// preferred one where that is free.
func startAPIServer(ctx context.Context, o apiServerOptions, preferred int) (*apiServer, error) {
	for attempt := 1; ; attempt++ {
		port, err := freePort(preferred)
		if err != nil {
			return nil, err
		}
		s, err := launchAPIServer(o, port)
		if err != nil {
			return nil, err
		}
		err = s.waitReady(ctx, o.pki)
		if err == nil {
			return s, nil
		}
		s.stop()
		if logTail := tail(apiServerLog(o.dir)); !strings.Contains(logTail, "address already in use") || attempt == 5 {
			return nil, fmt.Errorf("kube-apiserver on %s: %w; the end of %s:\n%s",
				loopback(port), err, apiServerLog(o.dir), logTail)
		}
		preferred = 0
	}
}

func launchAPIServer(o apiServerOptions, port int) (*apiServer, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	log, err := os.OpenFile(apiServerLog(o.dir), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd := exec.Command(self, append([]string{"kube-apiserver", attachedFlag}, o.flags(port)...)...)
	cmd.Stdout, cmd.Stderr = log, log
	// A group of its own keeps a terminal's Ctrl-C from reaching it before us.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start kube-apiserver: %w", err)
	}
	s := &apiServer{port: port, cmd: cmd, stdin: stdin, exited: make(chan struct{})}
	go func() {
		s.err = cmd.Wait()
		close(s.exited)
	}()
	return s, nil
}

func (o apiServerOptions) flags(port int) []string {
	return append([]string{
		"--etcd-servers=" + o.etcd,
		"--bind-address=127.0.0.1",
		// Without it the API server looks for a network interface that is not
		// loopback, which a machine without a network lacks.
		"--advertise-address=127.0.0.1",
		fmt.Sprintf("--secure-port=%d", port),
		"--tls-cert-file=" + o.pki.serverCert,
		"--tls-private-key-file=" + o.pki.serverKey,
		"--client-ca-file=" + o.pki.caCert,
		"--authorization-mode=RBAC",
		"--service-account-issuer=https://kubernetes.default.svc.cluster.local",
		"--service-account-key-file=" + o.pki.serviceAccountKey,
		"--service-account-signing-key-file=" + o.pki.serviceAccountKey,
		"--service-cluster-ip-range=10.0.0.0/24",
		// Endpoints of the service default/kubernetes must not be loopback
		// addresses, so nobody keeps any.
		"--endpoint-reconciler-type=none",
		"--requestheader-client-ca-file=" + o.pki.frontProxyCA,
		"--requestheader-allowed-names=front-proxy-client",
		"--requestheader-extra-headers-prefix=X-Remote-Extra-",
		"--requestheader-group-headers=X-Remote-Group",
		"--requestheader-username-headers=X-Remote-User",
		"--proxy-client-cert-file=" + o.pki.proxyCert,
		"--proxy-client-key-file=" + o.pki.proxyKey,
	}, o.extra...)
}

// stop ends the process, in order if it can, and returns when it is gone.
func (s *apiServer) stop() {
	defer s.stdin.Close()
	// It fails only for a process that has ended already.
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.exited:
	case <-time.After(stopGrace):
		_ = s.cmd.Process.Kill()
		<-s.exited
	}
}

func apiServerLog(dir string) string { return filepath.Join(dir, "kube-apiserver.log") }

// tail returns the last lines of a log for an error message.
func tail(path string) string {
	const most = 4000
	data, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	if len(data) > most {
		data = data[len(data)-most:]
	}
	return string(data)
}
