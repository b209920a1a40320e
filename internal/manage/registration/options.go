package registration

import (
	"log/slog"
	"time"

	"github.com/crosswalk-dev/crosswalk/internal/manage/reach"
)

// FieldManager owns what this package writes.
const FieldManager = "crosswalk-registration"

// Options say who is registered.
type Options struct {
	// Serve is who shall be asked about writes. Setup fills in its readers.
	Serve *reach.Serve
	// Logger gets every change that is made.
	Logger *slog.Logger
	// Now is the clock. The default is time.Now.
	Now func() time.Time
}

const (
	// immediately is when to look again after somebody else was faster.
	immediately = 20 * time.Millisecond
	// What is waited for happens in other processes, which tell nobody: it is
	// looked at again after firstWait, and after twice as long each time until
	// that is longestWait.
	firstWait   = 100 * time.Millisecond
	longestWait = 5 * time.Second
	// settling is how long an API server is given to hear of a change that it has
	// accepted, before a CRD is called guarded.
	settling = time.Second
)

// annotations are those of both configurations.
func (r *reconciler) annotations() map[string]string {
	if r.Serve.CertManagerCertificate == "" {
		return nil
	}
	return map[string]string{reach.InjectCAFrom: r.Serve.Service.Namespace + "/" + r.Serve.CertManagerCertificate}
}
