package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/pflag"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"google.golang.org/grpc/grpclog"
	"k8s.io/apimachinery/pkg/runtime"
)

const getUsage = `controlplane get KEY [flags]

Prints what etcd stores under KEY, past the API server: a custom resource as JSON, in
the version in which it is stored; of anything else the length and the type, and never
what is in it. A custom resource is stored under /registry/GROUP/RESOURCE/NAMESPACE/NAME,
and one without a namespace under /registry/GROUP/RESOURCE/NAME.

  controlplane get /registry/stable.example.com/crontabs/default/cleanup
  controlplane get /registry/stable.example.com/crontabs --prefix

`

// defaultDir is the folder of the control plane that kubectl talks to, or the one of
// make run, from the repository's folder.
func defaultDir() string {
	if dir := filepath.Dir(os.Getenv("KUBECONFIG")); dir != "." {
		if _, err := os.Stat(statePath(dir)); err == nil {
			return dir
		}
	}
	return filepath.Join(".run", "controlplane")
}

// getKey is the command get. It returns the exit code.
func getKey(args []string) int {
	flags := pflag.NewFlagSet("get", pflag.ContinueOnError)
	flags.Usage = func() { fmt.Fprint(os.Stderr, getUsage, flags.FlagUsages()) }
	dir := flags.String("dir", defaultDir(), "the folder of a control plane that runs; without it that of $KUBECONFIG, or .run/controlplane")
	prefix := flags.Bool("prefix", false, "print every key that begins with KEY")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, pflag.ErrHelp) {
			return 0
		}
		fmt.Fprintln(os.Stderr, "controlplane get:", err)
		return 2
	}
	if flags.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "controlplane get: name one key, for example /registry/stable.example.com/crontabs, with --prefix for all that begin with it")
		return 2
	}
	// What goes wrong is an error of a call; gRPC also logs what it tries again.
	grpclog.SetLoggerV2(grpclog.NewLoggerV2(io.Discard, io.Discard, io.Discard))
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	if err := getFrom(ctx, *dir, flags.Arg(0), *prefix, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "controlplane get:", err)
		return 1
	}
	return 0
}

// etcdPatience is how long etcd may take to answer.
const etcdPatience = 5 * time.Second

// page is how many keys are read at a time.
const page = 500

// getFrom prints to out what the control plane in dir stores.
func getFrom(ctx context.Context, dir, key string, prefix bool, out io.Writer) error {
	s, err := readState(dir)
	if err != nil {
		return err
	}
	if s.Etcd == "" {
		return fmt.Errorf("no control plane has run in %s; start one with `make run`, or name the folder of another with --dir", dir)
	}
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{s.Etcd}, Logger: zap.NewNop()})
	if err != nil {
		return err
	}
	defer client.Close()
	asking, cancel := context.WithTimeout(ctx, etcdPatience)
	defer cancel()
	if _, err := client.Get(asking, key, clientv3.WithCountOnly()); err != nil {
		return fmt.Errorf("etcd does not answer at %s; does the control plane in %s still run? %w", s.Etcd, dir, err)
	}
	found, err := entries(ctx, client, key, prefix, func(key, value []byte) error {
		return printEntry(out, key, value, prefix)
	})
	if err != nil || found > 0 {
		return err
	}
	if prefix {
		return fmt.Errorf("etcd has no key that begins with %s", key)
	}
	more, err := client.Get(ctx, key, clientv3.WithPrefix(), clientv3.WithCountOnly())
	if err == nil && more.Count > 0 {
		return fmt.Errorf("etcd has no key %s, but %d that begin with it: add --prefix", key, more.Count)
	}
	return errors.Join(err, fmt.Errorf("etcd has no key %s", key))
}

// entries gives one key, or all that begin with it, to use, in their order.
func entries(ctx context.Context, client *clientv3.Client, key string, prefix bool, use func(key, value []byte) error) (found int, err error) {
	options := []clientv3.OpOption{clientv3.WithLimit(page)}
	if prefix {
		options = append(options, clientv3.WithRange(clientv3.GetPrefixRangeEnd(key)))
	}
	for {
		got, err := client.Get(ctx, key, options...)
		if err != nil {
			return found, fmt.Errorf("etcd: %w", err)
		}
		for _, kv := range got.Kvs {
			if err := use(kv.Key, kv.Value); err != nil {
				return found, err
			}
			found++
		}
		if !got.More {
			return found, nil
		}
		key = string(got.Kvs[len(got.Kvs)-1].Key) + "\x00"
	}
}

// printEntry prints one value, below its key where there may be others.
func printEntry(out io.Writer, key, value []byte, named bool) error {
	text := fmt.Sprintf("%d bytes: %s", len(value), typeOf(value))
	var object bytes.Buffer
	if bytes.HasPrefix(value, []byte("{")) && json.Indent(&object, value, "", "  ") == nil {
		text = strings.TrimSpace(object.String())
	}
	if named {
		text = fmt.Sprintf("%s\n%s\n", key, text)
	}
	_, err := fmt.Fprintln(out, text)
	return err
}

// How the API server marks what it stores: as protobuf, as CBOR (RFC 8949, 3.4.6), or
// encrypted.
var (
	protobufMark  = []byte("k8s\x00")
	cborMark      = []byte("\xd9\xd9\xf7")
	encryptedMark = []byte("k8s:enc:")
)

// typeOf tells what a value is that is no JSON.
func typeOf(value []byte) string {
	switch {
	case bytes.HasPrefix(value, protobufMark):
		var unknown runtime.Unknown
		if err := unknown.Unmarshal(value[len(protobufMark):]); err != nil {
			return "protobuf that cannot be read"
		}
		return fmt.Sprintf("a %s of %s, as protobuf", unknown.Kind, unknown.APIVersion)
	case bytes.HasPrefix(value, cborMark):
		return "CBOR"
	case bytes.HasPrefix(value, encryptedMark):
		return "encrypted"
	default:
		return "of no type that Kubernetes stores"
	}
}
