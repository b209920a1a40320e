package webhooks

import (
	"bytes"
	"testing"

	"github.com/crosswalk-dev/crosswalk/certs"
)

// ca is the bundle of an authority that nobody else is.
func ca(t *testing.T) []byte {
	t.Helper()
	source, err := certs.NewAuthority(certs.AuthorityOptions{Dir: t.TempDir(), Names: []string{"crosswalk.crosswalk-system.svc"}})
	if err != nil {
		t.Fatal(err)
	}
	pair, err := source.Current()
	if err != nil {
		t.Fatal(err)
	}
	return pair.CABundle
}

func TestSameBundle(t *testing.T) {
	a, b := ca(t), ca(t)
	both := append(bytes.Clone(a), b...)
	for name, test := range map[string]struct {
		is, should []byte
		added      bool
		want       bool
	}{
		"equal":          {a, a, false, true},
		"comments":       {append([]byte("# ours\n"), a...), a, false, true},
		"another":        {a, b, false, false},
		"more":           {both, a, false, false},
		"more was added": {both, a, true, true},
		"less":           {a, both, true, false},
		"none":           {nil, nil, false, true},
		"none wanted":    {a, nil, false, false},
		"none there":     {nil, a, false, false},
		"broken":         {[]byte("x"), a, true, false},
		"broken, kept":   {[]byte("x"), []byte("x"), false, true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := sameBundle(test.is, test.should, test.added); got != test.want {
				t.Errorf("got %v", got)
			}
		})
	}
}
