package docs

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// The types of from-controller-runtime.md: the fields of all its patterns.

type ExampleV1beta1 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              SpecV1beta1 `json:"spec,omitempty"`
}

type SpecV1beta1 struct {
	Image          string            `json:"image,omitempty"`
	Schedule       string            `json:"schedule,omitempty"`
	Replicas       int32             `json:"replicas,omitempty"`
	Retries        *int32            `json:"retries,omitempty"`
	HostPort       string            `json:"hostPort,omitempty"`
	Policy         string            `json:"policy,omitempty"`
	Suspend        bool              `json:"suspend,omitempty"`
	TimeoutSeconds *int64            `json:"timeoutSeconds,omitempty"`
	Users          []string          `json:"users,omitempty"`
	Jobs           []JobV1beta1      `json:"jobs,omitempty"`
	Env            map[string]string `json:"env,omitempty"`
	ConfigMapName  *string           `json:"configMapName,omitempty"`
	SecretName     *string           `json:"secretName,omitempty"`
	LegacyHint     string            `json:"legacyHint,omitempty"`
}

type JobV1beta1 struct {
	Name string `json:"name"`
	Cmd  string `json:"cmd,omitempty"`
}

type ExampleV1 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              SpecV1 `json:"spec,omitempty"`
}

type SpecV1 struct {
	Image       string           `json:"image,omitempty"`
	Cron        Cron             `json:"cron,omitempty"`
	Replicas    *int32           `json:"replicas,omitempty"`
	Retries     int32            `json:"retries,omitempty"`
	Host        string           `json:"host,omitempty"`
	Port        int32            `json:"port,omitempty"`
	Concurrency string           `json:"concurrency,omitempty"`
	State       string           `json:"state,omitempty"`
	Timeout     *metav1.Duration `json:"timeout,omitempty"`
	Members     []Member         `json:"members,omitempty"`
	Tasks       []Task           `json:"tasks,omitempty"`
	Env         []EnvVar         `json:"env,omitempty"`
	Ref         *Ref             `json:"ref,omitempty"`
	TimeZone    string           `json:"timeZone,omitempty"`
	Owner       string           `json:"owner,omitempty"`
}

type Cron struct {
	Expression string `json:"expression,omitempty"`
}

type Member struct {
	Name string `json:"name"`
	Role string `json:"role,omitempty"`
}

type Task struct {
	Name    string  `json:"name"`
	Command Command `json:"command,omitempty"`
}

type Command struct {
	Line string `json:"line,omitempty"`
}

type EnvVar struct {
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
}

type Ref struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
}

func (e *ExampleV1beta1) DeepCopyObject() runtime.Object { c := *e; return &c }
func (e *ExampleV1) DeepCopyObject() runtime.Object      { c := *e; return &c }
