package harness

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Scene is a control plane with Crosswalk beside it and CRDs that it converts.
type Scene struct {
	ControlPlane *ControlPlane
	// Crosswalk is nil while it is away.
	Crosswalk *Crosswalk
	options   CrosswalkOptions
	dir       string
	logs      []*os.File
}

// StartScene starts everything in dir, which should be empty, and arms the CRDs
// of tables. The order matters: a CRD names Crosswalk only once Crosswalk answers.
// Logs are dir/controlplane.log and dir/crosswalk.log.
func StartScene(ctx context.Context, programs Programs, dir string, tables ...Table) (*Scene, error) {
	return StartSceneWith(ctx, programs, dir, SceneOptions{}, tables...)
}

// SceneOptions are what few scenes need.
type SceneOptions struct {
	APIServerFlags []string // further flags of kube-apiserver
}

// StartSceneWith is StartScene with options.
func StartSceneWith(ctx context.Context, programs Programs, dir string, o SceneOptions, tables ...Table) (_ *Scene, err error) {
	s := &Scene{dir: dir}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Stop())
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()

	log, err := s.log("controlplane.log")
	if err != nil {
		return nil, err
	}
	s.ControlPlane, err = StartControlPlane(ctx, programs.ControlPlane, filepath.Join(dir, "controlplane"), log, o.APIServerFlags...)
	if err != nil {
		return nil, fmt.Errorf("%w; see %s", err, log.Name())
	}
	config := filepath.Join(dir, "config")
	for _, t := range tables {
		if err := t.write(config); err != nil {
			return nil, err
		}
	}
	if log, err = s.log("crosswalk.log"); err != nil {
		return nil, err
	}
	s.options = CrosswalkOptions{
		Program: programs.Crosswalk, Config: []string{config},
		CertsDir: filepath.Join(dir, "certs"), DNSName: dnsName, Log: log,
	}
	if err := s.StartCrosswalk(ctx); err != nil {
		return nil, fmt.Errorf("%w; see %s", err, log.Name())
	}
	return s, s.arm(ctx, tables)
}

// StartCrosswalk starts Crosswalk, at the port of its last run if there was one.
func (s *Scene) StartCrosswalk(ctx context.Context) error {
	c, err := StartCrosswalk(ctx, s.options)
	if err != nil {
		return err
	}
	s.Crosswalk, s.options.Listen = c, c.Port
	return nil
}

// StopCrosswalk ends Crosswalk as a rollout would.
func (s *Scene) StopCrosswalk() error {
	c := s.Crosswalk
	s.Crosswalk = nil
	return c.Stop()
}

// KillCrosswalk ends Crosswalk as a crash would.
func (s *Scene) KillCrosswalk() {
	s.Crosswalk.Kill()
	s.Crosswalk = nil
}

// arm applies the Service and the CRDs that name it.
func (s *Scene) arm(ctx context.Context, tables []Table) error {
	ca, err := s.Crosswalk.CA()
	if err != nil {
		return err
	}
	if _, err := s.ControlPlane.KubectlWith(ctx, serviceManifest(), "apply", "-f", "-"); err != nil {
		return err
	}
	for _, t := range tables {
		fingerprint, err := fingerprint(s.Log("crosswalk.log"), t.CRD.Name)
		if err != nil {
			return err
		}
		manifest, err := json.Marshal(t.arm(webhook{port: s.Crosswalk.Port, caBundle: ca, fingerprint: fingerprint}))
		if err != nil {
			return err
		}
		if _, err := s.ControlPlane.KubectlWith(ctx, string(manifest), "apply", "-f", "-"); err != nil {
			return err
		}
	}
	for _, t := range tables {
		if _, err := s.ControlPlane.Kubectl(ctx, "wait", "--for=condition=Established", "--timeout=30s", "crd/"+t.CRD.Name); err != nil {
			return err
		}
	}
	return nil
}

// Log returns the path of one of the scene's logs.
func (s *Scene) Log(name string) string { return filepath.Join(s.dir, name) }

func (s *Scene) log(name string) (*os.File, error) {
	f, err := os.Create(s.Log(name))
	if err == nil {
		s.logs = append(s.logs, f)
	}
	return f, err
}

// Stop ends what runs, the API server first, so that it never asks in vain.
func (s *Scene) Stop() error {
	var errs []error
	if s.ControlPlane != nil {
		errs = append(errs, s.ControlPlane.Stop())
	}
	if s.Crosswalk != nil {
		errs = append(errs, s.StopCrosswalk())
	}
	for _, f := range s.logs {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}
