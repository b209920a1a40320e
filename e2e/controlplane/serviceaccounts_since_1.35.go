//go:build !kubernetes1.34

package main

import "k8s.io/kubernetes/pkg/controller/serviceaccount"

var newServiceAccountsController = serviceaccount.NewServiceAccountsController
