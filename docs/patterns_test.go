package docs

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crosswalk-dev/crosswalk/docs/internal/utilconversion"
)

// The Go of from-controller-runtime.md: parts of ConvertTo and ConvertFrom. Both
// have copied ObjectMeta before.

func moveTo(src *ExampleV1beta1, dst *ExampleV1) error {
	dst.Spec.Image = src.Spec.Image
	dst.Spec.Cron.Expression = src.Spec.Schedule
	return nil
}

func moveFrom(src *ExampleV1, dst *ExampleV1beta1) error {
	dst.Spec.Image = src.Spec.Image
	dst.Spec.Schedule = src.Spec.Cron.Expression
	return nil
}

func pointerTo(src *ExampleV1beta1, dst *ExampleV1) error {
	dst.Spec.Replicas = &src.Spec.Replicas
	return nil
}

func pointerFrom(src *ExampleV1, dst *ExampleV1beta1) error {
	if src.Spec.Replicas != nil {
		dst.Spec.Replicas = *src.Spec.Replicas
	}
	return nil
}

func defaultTo(src *ExampleV1beta1, dst *ExampleV1) error {
	dst.Spec.Retries = 3
	if src.Spec.Retries != nil {
		dst.Spec.Retries = *src.Spec.Retries
	}
	return nil
}

func defaultFrom(src *ExampleV1, dst *ExampleV1beta1) error {
	dst.Spec.Retries = &src.Spec.Retries
	return nil
}

func splitTo(src *ExampleV1beta1, dst *ExampleV1) error {
	host, port, _ := strings.Cut(src.Spec.HostPort, ":")
	number, err := strconv.ParseInt(port, 10, 32)
	if err != nil {
		return errors.New("hostPort has no port")
	}
	dst.Spec.Host, dst.Spec.Port = host, int32(number)
	return nil
}

func splitFrom(src *ExampleV1, dst *ExampleV1beta1) error {
	dst.Spec.HostPort = fmt.Sprintf("%s:%d", src.Spec.Host, src.Spec.Port)
	return nil
}

func enumTo(src *ExampleV1beta1, dst *ExampleV1) error {
	switch src.Spec.Policy {
	case "Allow":
		dst.Spec.Concurrency = "Parallel"
	case "Forbid":
		dst.Spec.Concurrency = "Single"
	default:
		dst.Spec.Concurrency = src.Spec.Policy
	}
	return nil
}

func enumFrom(src *ExampleV1, dst *ExampleV1beta1) error {
	switch src.Spec.Concurrency {
	case "Parallel":
		dst.Spec.Policy = "Allow"
	case "Single":
		dst.Spec.Policy = "Forbid"
	default:
		dst.Spec.Policy = src.Spec.Concurrency
	}
	return nil
}

func stateTo(src *ExampleV1beta1, dst *ExampleV1) error {
	dst.Spec.State = "Running"
	if src.Spec.Suspend {
		dst.Spec.State = "Paused"
	}
	return nil
}

func stateFrom(src *ExampleV1, dst *ExampleV1beta1) error {
	dst.Spec.Suspend = src.Spec.State == "Paused"
	return nil
}

func unitTo(src *ExampleV1beta1, dst *ExampleV1) error {
	if seconds := src.Spec.TimeoutSeconds; seconds != nil {
		dst.Spec.Timeout = &metav1.Duration{Duration: time.Duration(*seconds) * time.Second}
	}
	return nil
}

func unitFrom(src *ExampleV1, dst *ExampleV1beta1) error {
	if src.Spec.Timeout != nil {
		seconds := int64(src.Spec.Timeout.Seconds())
		dst.Spec.TimeoutSeconds = &seconds
	}
	return nil
}

func wrapTo(src *ExampleV1beta1, dst *ExampleV1) error {
	for _, user := range src.Spec.Users {
		dst.Spec.Members = append(dst.Spec.Members, Member{Name: user})
	}
	return nil
}

func wrapFrom(src *ExampleV1, dst *ExampleV1beta1) error {
	for _, member := range src.Spec.Members {
		dst.Spec.Users = append(dst.Spec.Users, member.Name)
	}
	return nil
}

func loopTo(src *ExampleV1beta1, dst *ExampleV1) error {
	for _, job := range src.Spec.Jobs {
		dst.Spec.Tasks = append(dst.Spec.Tasks, Task{Name: job.Name, Command: Command{Line: job.Cmd}})
	}
	return nil
}

func loopFrom(src *ExampleV1, dst *ExampleV1beta1) error {
	for _, task := range src.Spec.Tasks {
		dst.Spec.Jobs = append(dst.Spec.Jobs, JobV1beta1{Name: task.Name, Cmd: task.Command.Line})
	}
	return nil
}

func mapTo(src *ExampleV1beta1, dst *ExampleV1) error {
	for _, name := range slices.Sorted(maps.Keys(src.Spec.Env)) {
		dst.Spec.Env = append(dst.Spec.Env, EnvVar{Name: name, Value: src.Spec.Env[name]})
	}
	return nil
}

func mapFrom(src *ExampleV1, dst *ExampleV1beta1) error {
	dst.Spec.Env = map[string]string{}
	for _, variable := range src.Spec.Env {
		dst.Spec.Env[variable.Name] = variable.Value
	}
	return nil
}

func unionTo(src *ExampleV1beta1, dst *ExampleV1) error {
	switch {
	case src.Spec.ConfigMapName != nil:
		dst.Spec.Ref = &Ref{Kind: "ConfigMap", Name: *src.Spec.ConfigMapName}
	case src.Spec.SecretName != nil:
		dst.Spec.Ref = &Ref{Kind: "Secret", Name: *src.Spec.SecretName}
	}
	return nil
}

func unionFrom(src *ExampleV1, dst *ExampleV1beta1) error {
	if src.Spec.Ref == nil {
		return nil
	}
	switch src.Spec.Ref.Kind {
	case "ConfigMap":
		dst.Spec.ConfigMapName = &src.Spec.Ref.Name
	case "Secret":
		dst.Spec.SecretName = &src.Spec.Ref.Name
	}
	return nil
}

func ownerTo(src *ExampleV1beta1, dst *ExampleV1) error {
	dst.Spec.Owner = src.Annotations["example.com/owner"]
	delete(dst.Annotations, "example.com/owner")
	return nil
}

func ownerFrom(src *ExampleV1, dst *ExampleV1beta1) error {
	if src.Spec.Owner != "" {
		metav1.SetMetaDataAnnotation(&dst.ObjectMeta, "example.com/owner", src.Spec.Owner)
	}
	return nil
}

func keepTo(src *ExampleV1beta1, dst *ExampleV1) error {
	dst.Spec.Image = src.Spec.Image

	restored := &ExampleV1{}
	if ok, err := utilconversion.UnmarshalData(src, restored); err != nil || !ok {
		return err
	}
	dst.Spec.TimeZone = restored.Spec.TimeZone
	return nil
}

func keepFrom(src *ExampleV1, dst *ExampleV1beta1) error {
	dst.Spec.Image = src.Spec.Image
	return utilconversion.MarshalData(src, dst)
}

func dropTo(src *ExampleV1beta1, dst *ExampleV1) error {
	dst.Spec.Image = src.Spec.Image // legacyHint: nothing reads it any more
	return nil
}

func dropFrom(src *ExampleV1, dst *ExampleV1beta1) error {
	dst.Spec.Image = src.Spec.Image
	return nil
}
