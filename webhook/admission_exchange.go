package webhook

import (
	"bytes"
	"errors"
	"fmt"
	"sync"

	"github.com/crosswalk-dev/crosswalk/validation"
	"github.com/crosswalk-dev/crosswalk/validation/patch"
)

// admissionExchange is what answering one AdmissionReview needs. Exchanges are
// reused.
type admissionExchange struct {
	peer    peer
	output  output
	decoder admissionDecoder
	review  admissionReview
	verdict validation.Verdict
	differ  patch.Differ
	// patch is what changes the object into what it should be; empty if it stays.
	patch []byte
}

// diff makes the patch.
func (x *admissionExchange) diff() error {
	object := x.review.request.Object.Raw
	if object == nil {
		return fmt.Errorf("it wants to change the object, and %s has none", x.review.request.Operation)
	}
	if trimmed := bytes.TrimLeft(x.verdict.Object, " \t\r\n"); len(trimmed) == 0 || trimmed[0] != '{' {
		return errors.New("what it makes of the object is no JSON object")
	}
	var err error
	x.patch, err = x.differ.Diff(x.patch[:0], object, x.verdict.Object)
	return err
}

// admissionExchanges is a pool of them.
type admissionExchanges struct{ pool sync.Pool }

func (p *admissionExchanges) get() *admissionExchange {
	if x, ok := p.pool.Get().(*admissionExchange); ok {
		return x
	}
	return &admissionExchange{}
}

// put takes x back after a body of so many bytes, as exchanges.put does.
func (p *admissionExchanges) put(x *admissionExchange, size int) {
	if max(size, len(x.verdict.Object)) > keptBody {
		return
	}
	x.review, x.verdict, x.patch = admissionReview{}, validation.Verdict{}, x.patch[:0]
	x.decoder.forget()
	p.pool.Put(x)
}

// forget lets go of the body and the request.
func (d *admissionDecoder) forget() {
	d.scanner.Reset(nil)
	clear(d.strings)
}
