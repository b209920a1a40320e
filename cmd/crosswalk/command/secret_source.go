package command

import (
	"log/slog"

	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"

	"github.com/crosswalk-dev/crosswalk/certs"
)

// secretSource follows the Secret of the serving certificate.
func secretSource(connection *rest.Config, namespace, name string, log *slog.Logger) (certs.Source, error) {
	client, err := corev1client.NewForConfig(connection)
	if err != nil {
		return nil, err
	}
	return certs.NewSecret(certs.SecretOptions{Client: client, Namespace: namespace, Name: name, Logger: log}), nil
}
