package webhook

import (
	"bytes"
	"errors"
	"fmt"
	"sync"

	"github.com/crosswalk-dev/crosswalk/validation"
	"github.com/crosswalk-dev/crosswalk/validation/patch"
)

// admissionExchange holds the state for answering one AdmissionReview. Exchanges are reused.
type admissionExchange struct {
	peer    peer
	output  output
	decoder admissionDecoder
	review  admissionReview
	verdict validation.Verdict
	differ  patch.Differ
	// patch changes the object into the result of the reviewer. It is empty if the object stays
	// the same.
	patch []byte
}

// diff makes the patch.
func (x *admissionExchange) diff() error {
	object := x.review.request.Object.Raw
	if object == nil {
		return fmt.Errorf("it tried to change the object, and a %s request has none", x.review.request.Operation)
	}
	if trimmed := bytes.TrimLeft(x.verdict.Object, " \t\r\n"); len(trimmed) == 0 || trimmed[0] != '{' {
		return errors.New("its result is not a JSON object")
	}
	var err error
	x.patch, err = x.differ.Diff(x.patch[:0], object, x.verdict.Object)
	return err
}

// admissionExchanges is a pool of exchanges.
type admissionExchanges struct{ pool sync.Pool }

func (p *admissionExchanges) get() *admissionExchange {
	if x, ok := p.pool.Get().(*admissionExchange); ok {
		return x
	}
	return &admissionExchange{}
}

// put takes x back after a body of so many bytes, like exchanges.put.
func (p *admissionExchanges) put(x *admissionExchange, size int) {
	if max(size, len(x.verdict.Object)) > keptBody {
		return
	}
	x.review, x.verdict, x.patch = admissionReview{}, validation.Verdict{}, x.patch[:0]
	x.decoder.forget()
	p.pool.Put(x)
}

// forget drops the references to the body and the request.
func (d *admissionDecoder) forget() {
	d.scanner.Reset(nil)
	clear(d.strings)
}
