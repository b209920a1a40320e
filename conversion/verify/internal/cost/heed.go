package cost

import (
	"context"
	"time"

	"github.com/crosswalk-dev/crosswalk/internal/cputime"
)

// deafness returns the longest CPU time for which a conversion works without checking whether its
// caller is gone: the least of several runs, or of one run if that is within the limit.
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

// listener is the context of a caller that stays. It records when it is checked.
type listener struct {
	context.Context
	last, longest time.Duration
}

// listen returns a listener whose context could be done.
func listen() (l *listener, stop func()) {
	ctx, stop := context.WithCancel(context.Background())
	return &listener{Context: ctx, last: cputime.Spent()}, stop
}

func (l *listener) Err() error {
	now := cputime.Spent()
	l.longest, l.last = max(l.longest, now-l.last), now
	return nil
}
