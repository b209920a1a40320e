package aggregated

import (
	"context"
	"encoding/json"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	conversionv1alpha1 "github.com/crosswalk-dev/crosswalk/api/conversion/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/conversion"
	"github.com/crosswalk-dev/crosswalk/webhook"
)

// explaining is a converter that can explain what it does, such as those of package conversion.
type explaining interface {
	Explain(ctx context.Context, object []byte, to string) (*conversion.Explanation, error)
}

// explain converts the object of a request, and explains the conversion.
func explain(ctx context.Context, converter webhook.Converter, spec conversionv1alpha1.ConversionSpec) (object []byte, steps []conversionv1alpha1.Step, err error) {
	explained, err := converter.(explaining).Explain(ctx, spec.Object.Raw, spec.Version)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range explained.Steps {
		steps = append(steps, step(s))
	}
	return explained.Object, steps, nil
}

// step returns a step in the form for clients.
func step(s conversion.Step) conversionv1alpha1.Step {
	told := conversionv1alpha1.Step{From: s.From, To: s.To, Rows: s.Rows, Places: []conversionv1alpha1.Place{}}
	for _, o := range s.Origins {
		told.Places = append(told.Places, conversionv1alpha1.Place{
			Path: o.Path, By: string(o.By), Row: o.Row, From: o.From, Value: value(o.Value), Sensitive: o.Sensitive,
		})
	}
	for _, u := range s.Uncomputed {
		told.Uncomputed = append(told.Uncomputed, conversionv1alpha1.Uncomputed(u))
	}
	for _, k := range s.Kept {
		told.Kept = append(told.Kept, conversionv1alpha1.Kept{
			Path: k.Path, Why: string(k.Why), Row: k.Row, Needs: k.Needs, Value: value(k.Value), Back: value(k.Back), LeftOut: k.LeftOut,
		})
	}
	for _, d := range s.Dropped {
		told.Dropped = append(told.Dropped, conversionv1alpha1.Dropped(d))
	}
	for _, u := range s.Unused {
		told.Unused = append(told.Unused, conversionv1alpha1.Unused(u))
	}
	return told
}

// value returns a value, or nil if it is absent.
func value(text json.RawMessage) *apiextensionsv1.JSON {
	if text == nil {
		return nil
	}
	return &apiextensionsv1.JSON{Raw: text}
}
