package cost

import (
	"context"
	"time"

	"github.com/crosswalk-dev/crosswalk/internal/cputime"
)

// deafness returns the longest CPU time for which a conversion works on without a look whether its
// caller has gone: the least of several runs, unless the first is within what is allowed.
func deafness(c Converter, object []byte, to string, allowed time.Duration) (time.Duration, error) {
	room := make([]byte, 0, 2*len(object)+4096)
	least := time.Duration(0)
	for run := range runs {
		settle()
		l, stop := listen()
		_, err := c.ConvertNoting(l, room, object, to, nil)
		l.Err() // the end
		stop()
		if err != nil {
			return 0, err
		}
		if run == 0 || l.longest < least {
			least = l.longest
		}
		if least <= allowed {
			break
		}
	}
	return least, nil
}

// listener is the context of a caller who stays, and notes when it is looked at.
type listener struct {
	context.Context
	last, longest time.Duration
}

// listen returns one that could be done.
func listen() (l *listener, stop func()) {
	ctx, stop := context.WithCancel(context.Background())
	return &listener{Context: ctx, last: cputime.Spent()}, stop
}

func (l *listener) Err() error {
	now := cputime.Spent()
	l.longest, l.last = max(l.longest, now-l.last), now
	return nil
}
