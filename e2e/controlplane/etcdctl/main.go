// Command etcdctl is the released etcdctl of the version in go.mod, which is that of
// the control plane's etcd.
package main

import "go.etcd.io/etcd/etcdctl/v3/ctlv3"

func main() { ctlv3.MustStart() }
