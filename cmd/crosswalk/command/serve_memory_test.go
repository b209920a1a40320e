package command

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

func TestMemoryLimit(t *testing.T) {
	const none, mb = math.MaxInt64, 1 << 20
	container := memlimit.Limit(1000 * mb)
	fails := func(err error) memlimit.Provider { return func() (uint64, error) { return 0, err } }
	tests := []struct {
		name      string
		flag      int64
		isSet     bool
		runtime   int64
		container memlimit.Provider
		want      string
	}{
		{"the flag comes first", 500 * mb, true, 900 * mb, container, "524288000 by --max-memory-bytes"},
		{"then GOMEMLIMIT", 0, true, 900 * mb, container, "943718400 by GOMEMLIMIT"},
		{"off", 0, true, none, container, "0 by "},
		{"then the container", 0, false, none, container, "873813333 by the container"},
		{"of which nothing is limited", 0, false, none, fails(memlimit.ErrNoLimit), "0 by "},
		{"or which there is none", 0, false, none, fails(memlimit.ErrNoCgroup), "0 by "},
		{"or cannot be", 0, false, none, fails(memlimit.ErrCgroupsNotSupported), "0 by "},
		{"or cannot be read", 0, false, none, fails(errors.New("permission denied")),
			"the container's memory limit cannot be read (permission denied); set --max-memory-bytes"},
	}
	for _, test := range tests {
		limit, by, err := memoryLimit(test.flag, test.isSet, test.runtime, test.container)
		got := fmt.Sprintf("%d by %s", limit, by)
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}
