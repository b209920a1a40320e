package reach

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"syscall"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// replica is one process of serve that receives requests.
type replica struct {
	name, address string
	// mayBeDown reports that it is unknown whether the process runs.
	mayBeDown bool
}

// replicas returns the ready replicas.
func (s *Serve) replicas(ctx context.Context) ([]replica, error) {
	var found []replica
	if len(s.Replicas) > 0 {
		for _, address := range s.Replicas {
			found = append(found, replica{address, address, true})
		}
		return found, nil
	}
	name, err := s.portName(ctx)
	if err != nil {
		return nil, err
	}
	slices := new(discoveryv1.EndpointSliceList)
	err = s.Cached.List(ctx, slices, client.InNamespace(s.Service.Namespace),
		client.MatchingLabels{discoveryv1.LabelServiceName: s.Service.Name})
	if err != nil {
		return nil, err
	}
	for _, slice := range slices.Items {
		for _, port := range slice.Ports {
			if port.Port == nil || ptr.Deref(port.Name, "") != name {
				continue
			}
			for _, endpoint := range slice.Endpoints {
				// Unknown means ready (discoveryv1.EndpointConditions).
				if ready := endpoint.Conditions.Ready; ready != nil && !*ready || len(endpoint.Addresses) == 0 {
					continue
				}
				address := net.JoinHostPort(endpoint.Addresses[0], strconv.Itoa(int(*port.Port)))
				name := address
				if endpoint.TargetRef != nil {
					name = endpoint.TargetRef.Name
				}
				found = append(found, replica{name, address, false})
			}
		}
	}
	return found, nil
}

var errHeadless = errors.New("has no clusterIP, so the API server cannot call it; give it one")

// portName returns the name of the Service's port in EndpointSlices.
func (s *Serve) portName(ctx context.Context) (string, error) {
	service, err := s.service(ctx)
	if err != nil {
		return "", client.IgnoreNotFound(err)
	}
	for _, port := range service.Spec.Ports {
		if port.Port == s.Port {
			return port.Name, nil
		}
	}
	return "", nil
}

func (s *Serve) service(ctx context.Context) (*corev1.Service, error) {
	service := new(corev1.Service)
	err := s.Live.Get(ctx, client.ObjectKey{Namespace: s.Service.Namespace, Name: s.Service.Name}, service)
	return service, err
}

// refused distinguishes a process that does not run from one that does not answer.
func refused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }

// serviceAddress returns where the API server connects to for the Service, unless it routes to
// endpoints itself (k8s.io/apiserver/pkg/util/proxy.ResolveCluster).
func (s *Serve) serviceAddress(ctx context.Context) (string, error) {
	service, err := s.service(ctx)
	if err != nil {
		return "", err
	}
	port := strconv.Itoa(int(s.Port))
	if service.Spec.Type == corev1.ServiceTypeExternalName {
		return net.JoinHostPort(service.Spec.ExternalName, port), nil
	}
	if ip := service.Spec.ClusterIP; ip != "" && ip != corev1.ClusterIPNone {
		return net.JoinHostPort(ip, port), nil
	}
	return "", fmt.Errorf("the Service %s/%s %w", s.Service.Namespace, s.Service.Name, errHeadless)
}
