package injection

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/events"

	"github.com/crosswalk-dev/crosswalk/internal/manage/tell"
)

// Reasons of Events, besides those of inject.Problem.
const (
	reasonInjected   = "Injected"
	reasonRestored   = "Restored"
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

// action is the action of every Event.
const action = "InjectCABundle"

// problem reports why an object has no bundle: once, until the object is well or has another
// problem. related is the same as in send.
func (i *Injector) problem(t target, object *unstructured.Unstructured, related runtime.Object, reason, message string) {
	if !i.states.set(t, stateProblem, reason+message) {
		return
	}
	i.log.Warn("the CA bundle is not updated", "kind", t.Kind, "name", t.Name, "reason", reason, "message", message)
	i.warn(object, related, reason, message)
}

func (i *Injector) warn(object *unstructured.Unstructured, related runtime.Object, reason, note string) {
	send(i.events, object, related, corev1.EventTypeWarning, reason, note)
}

func (i *Injector) normal(object *unstructured.Unstructured, reason, note string) {
	send(i.events, object, nil, corev1.EventTypeNormal, reason, note)
}

// send emits an Event about an object in its current state, and the related one, if there is
// one. client-go drops an Event that differs from another only in its note. So what the note
// depends on should be one of the two objects. Crosswalk's own CA is in neither, and is
// reported in the log each time.
func send(to events.EventRecorder, object *unstructured.Unstructured, related runtime.Object, kind, reason, note string) {
	to.Eventf(object, related, kind, reason, action, "%s", tell.Note(note))
}

// forget drops the state of an object that does not ask for a bundle.
func (i *Injector) forget(t target) {
	i.states.drop(t)
	i.writes.drop(t)
	i.secrets.drop(t)
}
