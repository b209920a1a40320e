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

// listeners binds the addresses of a role. None of them keeps more connections than
// connections.Most.
type listeners struct {
	log  *slog.Logger
	shed *prometheus.CounterVec
}

func newListeners(registry prometheus.Registerer, log *slog.Logger) *listeners {
	shed := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "crosswalk_connections_shed_total",
		Help: "Connections closed because a listener had too many: those of the host that had the most, the longest silent first.",
	}, []string{"listener"})
	registry.MustRegister(shed)
	return &listeners{log, shed}
}

// listen binds an address, which a flag has named, and logs which it got.
func (l *listeners) listen(address, flag, name string) (net.Listener, error) {
	bound, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	l.log.Info("listening", "listener", name, "address", bound.Addr().String())
	shed := l.shed.WithLabelValues(name) // so that it is there before it happens
	log := rate.Sometimes{Interval: 10 * time.Second}
	return connections.Limit(bound, connections.Most, func(host string, n int) {
		shed.Add(float64(n))
		log.Do(func() {
			l.log.Warn("there are too many connections: closed those that were silent the longest, of the host that has the most",
				"listener", name, "limit", connections.Most, "host", host, "closed", n)
		})
	}), nil
}
