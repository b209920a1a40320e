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

// listeners binds the addresses of a role. Together they have at most connections.Most
// connections.
type listeners struct {
	log   *slog.Logger
	limit *connections.Limit
}

func newListeners(registry prometheus.Registerer, log *slog.Logger) *listeners {
	shed := prometheus.NewCounter(prometheus.CounterOpts{
		Name: "crosswalk_connections_shed_total",
		Help: "Connections closed because there were too many. The host with the most connections loses those that have been silent the longest.",
	})
	registry.MustRegister(shed)
	sometimes := rate.Sometimes{Interval: 10 * time.Second}
	return &listeners{log, connections.NewLimit(connections.Most, func(host string, n int) {
		shed.Add(float64(n))
		sometimes.Do(func() {
			log.Warn("too many connections: closed those that were silent the longest, of the host with the most connections",
				"limit", connections.Most, "host", host, "closed", n)
		})
	})}
}

// listen binds the address that a flag has named, and logs the bound address.
func (l *listeners) listen(address, flag, name string) (net.Listener, error) {
	bound, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	l.log.Info("listening", "listener", name, "address", bound.Addr().String())
	return l.limit.Listener(bound), nil
}
