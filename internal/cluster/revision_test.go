package cluster

import (
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// A revision holds all that the table needs: it compiles to the same table, by
// its fingerprint and by what it does, without the CRD.
func TestRevision(t *testing.T) {
	table := crontab(t)
	revision, err := NewRevision("crosswalk-system", table)
	if err != nil {
		t.Fatal(err)
	}
	fingerprint := table.Converter.Fingerprint()
	if revision.Name != crontabs+"-"+fingerprint || revision.Labels[LabelFingerprint] != fingerprint || revision.Annotations[AnnotationCRD] != crontabs {
		t.Errorf("got %+v", revision.ObjectMeta)
	}
	if strings.Contains(string(revision.Data.Raw), "description") {
		t.Errorf("it holds texts: %s", revision.Data.Raw)
	}
	converter, err := Compiler{}.Revision(revision)
	if err != nil {
		t.Fatal(err)
	}
	if converter.Converter.Fingerprint() != fingerprint {
		t.Errorf("compiles to another table: %s", converter.Converter.Fingerprint())
	}
	object := []byte(`{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","metadata":{"name":"a"},"spec":{"hostPort":"a:1","shell":"sh"}}`)
	want, err := table.Converter.Convert(nil, object, "v1")
	if err != nil {
		t.Fatal(err)
	}
	got, err := converter.Convert(nil, object, "v1")
	if err != nil || string(got) != string(want) {
		t.Errorf("got %s, %v\nwant %s", got, err, want)
	}
	// A later release may give the table another fingerprint; CRDs ask by the
	// one of the revision.
	revision.Labels[LabelFingerprint], revision.Name = "0123", RevisionName(crontabs, "0123")
	if converter, err = (Compiler{}).Revision(revision); err != nil || converter.Fingerprint() != "0123" {
		t.Errorf("got %s, %v", converter.Fingerprint(), err)
	}
}

func TestBrokenRevision(t *testing.T) {
	revision, err := NewRevision("crosswalk-system", crontab(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, raw := range []string{"", "{}", "[", `{"crosswalk":{},"crd":{}}`} {
		revision.Data.Raw = []byte(raw)
		if _, err := (Compiler{}).Revision(revision); err == nil || !strings.HasPrefix(err.Error(), "controllerrevision crosswalk-system/"+revision.Name+": ") {
			t.Errorf("%q: got %v", raw, err)
		}
	}
}

// What is not what it says was not made by manage.
func TestForgedRevision(t *testing.T) {
	for name, forge := range map[string]func(*appsv1.ControllerRevision){
		"label":      func(r *appsv1.ControllerRevision) { r.Labels[LabelFingerprint] = "0123" },
		"annotation": func(r *appsv1.ControllerRevision) { r.Annotations[AnnotationCRD] = "stars.example.com" },
		"name":       func(r *appsv1.ControllerRevision) { r.Name = "crontabs" },
	} {
		revision, err := NewRevision("crosswalk-system", crontab(t))
		if err != nil {
			t.Fatal(err)
		}
		forge(revision)
		if _, err := (Compiler{}).Revision(revision); err == nil || !strings.HasSuffix(err.Error(), "its name, label and annotation are not those of the table in it") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestRevisionNameFits(t *testing.T) {
	long := strings.Repeat("a", 253)
	if name := RevisionName(long, "0123456789abcdef"); len(name) != 253 || !strings.HasSuffix(name, "a-0123456789abcdef") {
		t.Errorf("got %s", name)
	}
	// What is before the fingerprint must not end with a dot.
	if name := RevisionName(strings.Repeat("a", 235)+".example.com", "0123456789abcdef"); !strings.HasSuffix(name, "a-0123456789abcdef") {
		t.Errorf("got %s", name)
	}
}

func TestArmedWith(t *testing.T) {
	service := Service{Namespace: "crosswalk-system", Name: "crosswalk"}
	crd := func(namespace, name string, path *string) *apiextensionsv1.CustomResourceDefinition {
		c := new(apiextensionsv1.CustomResourceDefinition)
		c.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{
			Strategy: apiextensionsv1.WebhookConverter,
			Webhook: &apiextensionsv1.WebhookConversion{ClientConfig: &apiextensionsv1.WebhookClientConfig{
				Service: &apiextensionsv1.ServiceReference{Namespace: namespace, Name: name, Path: path},
			}},
		}
		return c
	}
	for name, test := range map[string]struct {
		crd         *apiextensionsv1.CustomResourceDefinition
		fingerprint string
		asks        bool
	}{
		"by us":          {crd("crosswalk-system", "crosswalk", new("/convert/0123")), "0123", true},
		"any table":      {crd("crosswalk-system", "crosswalk", new("/convert")), "", true},
		"no path":        {crd("crosswalk-system", "crosswalk", nil), "", true},
		"another name":   {crd("crosswalk-system", "other", new("/convert/0123")), "", false},
		"another space":  {crd("default", "crosswalk", new("/convert/0123")), "", false},
		"no conversion":  {new(apiextensionsv1.CustomResourceDefinition), "", false},
		"another's path": {crd("crosswalk-system", "crosswalk", new("/other/0123")), "", true},
	} {
		if fingerprint, asks := service.ArmedWith(test.crd); fingerprint != test.fingerprint || asks != test.asks {
			t.Errorf("%s: got %q, %v", name, fingerprint, asks)
		}
	}
}
