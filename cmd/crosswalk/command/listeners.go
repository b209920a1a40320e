package command

import (
	"fmt"
	"log/slog"
	"net"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/time/rate"

	"github.com/crosswalk-dev/crosswalk/internal/connections"
)

// listeners binds the addresses of a role, which keep connections.Most connections together.
type listeners struct {
	log   *slog.Logger
	limit *connections.Limit
}

func newListeners(registry prometheus.Registerer, log *slog.Logger) *listeners {
	shed := prometheus.NewCounter(prometheus.CounterOpts{
		Name: "crosswalk_connections_shed_total",
		Help: "Connections closed because there were too many: those of the host that had the most, the longest silent first.",
	})
	registry.MustRegister(shed)
	sometimes := rate.Sometimes{Interval: 10 * time.Second}
	return &listeners{log, connections.NewLimit(connections.Most, func(host string, n int) {
		shed.Add(float64(n))
		sometimes.Do(func() {
			log.Warn("there are too many connections: closed those that were silent the longest, of the host that has the most",
				"limit", connections.Most, "host", host, "closed", n)
		})
	})}
}

// listen binds an address, which a flag has named, and logs which it got.
func (l *listeners) listen(address, flag, name string) (net.Listener, error) {
	bound, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	l.log.Info("listening", "listener", name, "address", bound.Addr().String())
	return l.limit.Listener(bound), nil
}
