package injection

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// Reasons of Events, besides those of inject.Problem.
const (
	reasonInjected   = "Injected"
	reasonRepaired   = "Repaired"
	reasonVerified   = "VerificationOn"
	reasonReleased   = "Released"
	reasonAnnotation = "InvalidAnnotation"
	reasonBundle     = "NoUsableBundle"
	reasonContended  = "Contended"
	reasonRefused    = "WriteRefused"
	reasonConsent    = "NoConsent"
	reasonRight      = "NoRight"
	reasonSecret     = "NoUsableSecret"
	reasonKept       = "KeptByCrosswalk"
	reasonMisnamed   = "NotItsCertificate"
)

// action is what every Event is about.
const action = "InjectCABundle"

// maxNote is the longest note of an Event (k8s.io/api/events/v1).
const maxNote = 1024

// problem reports what keeps the bundle out of an object: once, until the object is well or
// has another problem. related is as in send.
func (i *Injector) problem(t target, object *unstructured.Unstructured, related runtime.Object, reason, message string) {
	if !i.states.set(t, stateProblem, reason+message) {
		return
	}
	i.log.Warn("the CA bundle is not kept", "kind", t.Kind, "name", t.Name, "reason", reason, "message", message)
	i.warn(object, related, reason, message)
}

func (i *Injector) warn(object *unstructured.Unstructured, related runtime.Object, reason, note string) {
	send(i.events, object, related, corev1.EventTypeWarning, reason, note)
}

func (i *Injector) normal(object *unstructured.Unstructured, reason, note string) {
	send(i.events, object, nil, corev1.EventTypeNormal, reason, note)
}

// send tells of an object as it is, and of the related one as it is, where there is one.
// client-go counts an Event that differs only in its note from another as the same, and
// drops the note: so what the note depends on should be one of the two. Crosswalk's own CA
// is in neither; of that, the log tells every time.
func send(to events.EventRecorder, object *unstructured.Unstructured, related runtime.Object, kind, reason, note string) {
	if len(note) > maxNote {
		note = strings.ToValidUTF8(note[:maxNote-3], "") + "..."
	}
	to.Eventf(object, related, kind, reason, action, "%s", note)
}

// forget drops what was known about an object that does not ask for a bundle.
func (i *Injector) forget(t target) {
	i.states.drop(t)
	i.writes.drop(t)
	i.secrets.drop(t)
}
