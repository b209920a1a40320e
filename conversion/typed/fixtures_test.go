package typed

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
	"sigs.k8s.io/yaml"
)

// Backup has three versions, as kubebuilder would scaffold them, and conversions as
// people write them: v1alpha1 lacks much, and so does the code.

type backupV1 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              backupV1Spec   `json:"spec,omitempty"`
	Status            backupV1Status `json:"status,omitempty"`
}

type backupV1Spec struct {
	Target  string    `json:"target,omitempty"` // host:port
	Keep    *int64    `json:"keep,omitempty"`
	Paused  bool      `json:"paused,omitempty"`
	Volumes []volume1 `json:"volumes,omitempty"`
	Hooks   []string  `json:"hooks,omitempty"`
}

type volume1 struct {
	Name   string `json:"name"`
	Secret string `json:"secret,omitempty"`
}

type backupV1Status struct {
	Runs    int64  `json:"runs,omitempty"`
	Message string `json:"message,omitempty"`
}

type backupV2 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              backupV2Spec   `json:"spec"`
	Status            backupV2Status `json:"status,omitempty"`
}

type backupV2Spec struct {
	Host      string            `json:"host,omitempty"`
	Port      int32             `json:"port,omitempty"`
	Retention retention         `json:"retention"`
	State     string            `json:"state,omitempty"`
	Volumes   []volume2         `json:"volumes,omitempty"`
	Labels    map[string]string `json:"labels,omitempty"`
}

type retention struct {
	Count *int64  `json:"count,omitempty"`
	Days  *int64  `json:"days,omitempty"`
	Ratio float64 `json:"ratio,omitempty"`
}

type volume2 struct {
	Name string `json:"name"`
	Path string `json:"path,omitempty"`
}

type backupV2Status struct {
	Runs int64 `json:"runs"`
}

type backupV1alpha1 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		Target string `json:"target,omitempty"`
	} `json:"spec,omitempty"`
}

func (b *backupV1) DeepCopyObject() runtime.Object       { c := *b; return &c }
func (b *backupV2) DeepCopyObject() runtime.Object       { c := *b; return &c }
func (b *backupV1alpha1) DeepCopyObject() runtime.Object { c := *b; return &c }

func (*backupV2) Hub() {}

func (b *backupV1) ConvertTo(raw conversion.Hub) error {
	to := raw.(*backupV2)
	to.ObjectMeta = b.ObjectMeta
	host, port, err := splitTarget(b.Spec.Target)
	if err != nil {
		return err
	}
	to.Spec.Host, to.Spec.Port, to.Spec.Retention.Count = host, port, b.Spec.Keep
	if b.Spec.Paused {
		to.Spec.State = "Paused"
	}
	for _, v := range b.Spec.Volumes {
		if v.Name == "scratch" {
			continue // v2 does without it
		}
		to.Spec.Volumes = append(to.Spec.Volumes, volume2{Name: v.Name})
	}
	to.Status.Runs = b.Status.Runs
	return nil
}

func (b *backupV1) ConvertFrom(raw conversion.Hub) error {
	from := raw.(*backupV2)
	b.ObjectMeta = from.ObjectMeta
	if from.Spec.Host != "" {
		b.Spec.Target = from.Spec.Host + ":" + strconv.Itoa(int(from.Spec.Port))
	}
	b.Spec.Keep, b.Spec.Paused = from.Spec.Retention.Count, from.Spec.State == "Paused"
	for _, v := range from.Spec.Volumes {
		b.Spec.Volumes = append(b.Spec.Volumes, volume1{Name: v.Name})
	}
	b.Status.Runs = from.Status.Runs
	return nil
}

// splitTarget fails, as conversions should not, and panics, as they do.
func splitTarget(target string) (string, int32, error) {
	if target == "" {
		return "", 0, nil
	}
	parts := strings.Split(target, ":")
	port, err := strconv.ParseInt(parts[1], 10, 32)
	if err != nil || len(parts) > 2 {
		return "", 0, errors.New("no target: " + target)
	}
	return parts[0], int32(port), nil
}

func (b *backupV1alpha1) ConvertTo(raw conversion.Hub) error {
	to := raw.(*backupV2)
	to.ObjectMeta = b.ObjectMeta
	to.Spec.Host = b.Spec.Target
	return nil
}

func (b *backupV1alpha1) ConvertFrom(raw conversion.Hub) error {
	from := raw.(*backupV2)
	b.ObjectMeta = from.ObjectMeta
	b.Spec.Target = from.Spec.Host
	return nil
}

const backup = `
metadata: {name: backups.example.com}
spec:
  group: example.com
  names: {kind: Backup, plural: backups}
  scope: Namespaced
  versions:
  - name: v2
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              host: {type: string}
              port: {type: integer, format: int32}
              retention: {type: object, properties: {count: {type: integer, format: int64}, days: {type: integer, format: int64}, ratio: {type: number}}}
              state: {type: string}
              volumes:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items: {type: object, required: [name], properties: {name: {type: string}, path: {type: string}}}
              labels: {type: object, additionalProperties: {type: string}}
          status: {type: object, properties: {runs: {type: integer, format: int64}}}
  - name: v1
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              target: {type: string}
              keep: {type: integer, format: int64}
              paused: {type: boolean}
              volumes:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items: {type: object, required: [name], properties: {name: {type: string, enum: [data, logs, scratch]}, secret: {type: string}}}
              hooks: {type: array, items: {type: string}}
          status: {type: object, properties: {runs: {type: integer, format: int64}, message: {type: string}}}
  - name: v1alpha1
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {target: {type: string}}}
`

func backupCRD(t testing.TB) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	crd := new(apiextensionsv1.CustomResourceDefinition)
	if err := yaml.Unmarshal([]byte(backup), crd); err != nil {
		t.Fatal(err)
	}
	return crd
}

func backupScheme(t testing.TB) *runtime.Scheme {
	t.Helper()
	scheme := runtime.NewScheme()
	for version, object := range map[string]runtime.Object{"v2": &backupV2{}, "v1": &backupV1{}, "v1alpha1": &backupV1alpha1{}} {
		scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: "example.com", Version: version, Kind: "Backup"}, object)
	}
	return scheme
}
