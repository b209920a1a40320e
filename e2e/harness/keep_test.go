package harness

import (
	_ "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1"
	_ "k8s.io/client-go/kubernetes"
	_ "sigs.k8s.io/controller-runtime"
)
