package policy

import (
	"fmt"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Policy is a compiled policy. It is safe for concurrent use.
type Policy struct {
	// kind and name identify the policy.
	kind, name string
	// native reports that it is a policy of Kubernetes itself, with the meaning that it has
	// there.
	native      bool
	fingerprint string
	mutates     bool
	constraints constraints
	// problem is why it cannot be evaluated at all.
	problem    error
	ignore     bool
	conditions []*condition
	lookups    []*lookup
	variables  []*variable
	rules      []*rule
	audits     []*audit
	mutations  []*change
	// reinvoke reports that the policy is called again after a change.
	reinvoke  bool
	paramKind *schema.GroupVersionKind
	bindings  []*binding
	// authorizes reports that the policy asks for rights of users.
	authorizes bool
	// writer reports that the result depends on who writes.
	writer bool
	// hub reports that the policy sees everything in the hub version.
	hub bool
	// equivalent reports that the rules also match other versions than those that they name,
	// and that the policy sees everything in one of those.
	equivalent bool
	// ratchets reports that an update is evaluated by what it changes.
	ratchets bool
	// budget is the highest cost of rules and messages together, and of audit annotations
	// together.
	budget int64
	// freeUpTo is the size of objects up to which nothing can cost too much.
	freeUpTo int
}

// Kind returns the kind of the object that the policy was compiled from.
func (p *Policy) Kind() string { return p.kind }

// Name returns the name of the object that the policy was compiled from.
func (p *Policy) Name() string { return p.name }

// Fingerprint identifies the policy's spec, and the specs of its bindings: 16 hexadecimal
// digits.
func (p *Policy) Fingerprint() string { return p.fingerprint }

// String returns the kind and the name.
func (p *Policy) String() string { return p.kind + " " + p.name }

// Reference returns the name of the policy in messages: as kubectl names an object, or as
// apiserver names a policy.
func (p *Policy) Reference() string {
	if p.native {
		return fmt.Sprintf("%s %q", p.kind, p.name)
	}
	return fmt.Sprintf("%s %q", strings.ToLower(p.kind), p.name)
}

// binding is for which requests, with which parameters and with which effect a policy is
// evaluated. A policy of crosswalk.dev contains its only binding.
type binding struct {
	// name is empty for the binding in the policy.
	name        string
	constraints constraints
	params      *paramRef
	actions     []admissionregistrationv1.ValidationAction
}

// paramRef selects the objects that are bound to params.
type paramRef struct {
	namespace, name string
	selector        labels.Selector
	// required reports that it is a failure if there are none.
	required bool
}

// condition must be true for the policy to apply.
type condition struct {
	expression
	name string
}

// rule is what must hold.
type rule struct {
	expression
	message           string
	messageExpression *expression
	path              fieldPath
	reason            metav1.StatusReason
}

// audit is an annotation for the audit log.
type audit struct {
	expression
	key string
}
