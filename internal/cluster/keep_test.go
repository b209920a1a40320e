package cluster

import (
	"testing"

	_ "sigs.k8s.io/controller-runtime"
	_ "sigs.k8s.io/controller-runtime/pkg/client/fake"
)

func TestScheme(t *testing.T) {
	if _, err := Scheme(); err != nil {
		t.Fatal(err)
	}
}
