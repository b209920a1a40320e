package policy

import (
	"fmt"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Policy is a policy that has been compiled. It is safe for concurrent use.
type Policy struct {
	// kind and name say whose it is.
	kind, name string
	// native says that it is one of Kubernetes itself, and means what it means there.
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
	// reinvoke says that the policy is asked again after a change.
	reinvoke  bool
	paramKind *schema.GroupVersionKind
	bindings  []*binding
	// hub says that the policy sees everything in the hub version.
	hub bool
	// equivalent says that the rules are about other versions than those that they
	// name, too, and that the policy sees everything in one of those.
	equivalent bool
	// ratchets says that an update is judged for what it changes.
	ratchets bool
	// budget is the cost that rules and messages together, and audit annotations
	// together, may have.
	budget int64
	// freeUpTo is the size of objects up to which nothing can cost too much.
	freeUpTo int
}

// Kind is the kind of the object that the policy was compiled from.
func (p *Policy) Kind() string { return p.kind }

// Name is the name of the object that the policy was compiled from.
func (p *Policy) Name() string { return p.name }

// Fingerprint tells the policy from what it was before a change of its spec, or of
// the specs of its bindings: 16 hexadecimal digits.
func (p *Policy) Fingerprint() string { return p.fingerprint }

// String is the kind and the name.
func (p *Policy) String() string { return p.kind + " " + p.name }

// Reference is how messages name the policy: as kubectl names an object, or as apiserver
// does it.
func (p *Policy) Reference() string {
	if p.native {
		return fmt.Sprintf("%s %q", p.kind, p.name)
	}
	return fmt.Sprintf("%s %q", strings.ToLower(p.kind), p.name)
}

// binding says for which requests, with which parameters and to what effect a
// policy is evaluated. A policy of crosswalk.dev has one, which is in it.
type binding struct {
	// name is empty for the binding that is in the policy.
	name        string
	constraints constraints
	params      *paramRef
	actions     []admissionregistrationv1.ValidationAction
}

// paramRef chooses the objects that are bound to params.
type paramRef struct {
	namespace, name string
	selector        labels.Selector
	// required says that it is a failure if there are none.
	required bool
}

// condition must be true for the policy to count.
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
