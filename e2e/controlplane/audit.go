package main

import (
	"os"
	"path/filepath"
)

// auditPolicy has every request written down once it is answered, without its body,
// but for those of the administrator and of the API server itself.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: None
  userGroups: [system:masters]
- level: Metadata
`

// auditFlags writes the policy and returns the flags of kube-apiserver that keep the log.
func auditFlags(dir string) ([]string, error) {
	policy := filepath.Join(dir, "audit-policy.yaml")
	if err := os.WriteFile(policy, []byte(auditPolicy), 0o600); err != nil {
		return nil, err
	}
	return []string{
		"--audit-policy-file=" + policy,
		"--audit-log-path=" + auditLog(dir),
		"--audit-log-maxbackup=1", // of 100 MB, as the log itself: somebody may let it run for days
	}, nil
}

func auditLog(dir string) string { return filepath.Join(dir, "audit.log") }
