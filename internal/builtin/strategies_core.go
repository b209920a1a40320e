package builtin

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
)

func labelWithName(n *corev1.Namespace) {
	metav1.SetMetaDataLabel(&n.ObjectMeta, corev1.LabelMetadataName, n.Name)
}

// nameSecrets drops everything but the names from the references to Secrets.
func nameSecrets(a *corev1.ServiceAccount) {
	for i, s := range a.Secrets {
		a.Secrets[i] = corev1.ObjectReference{Name: s.Name}
	}
}

func validName(name string) bool { return len(validation.IsDNS1123Subdomain(name)) == 0 }

func beginPending(v *corev1.PersistentVolume) {
	now := metav1.Now()
	v.Status.Phase, v.Status.LastPhaseTransitionTime = corev1.VolumePending, &now
}

// datePhase sets the time of the last change of a volume's phase.
func datePhase(object, old *corev1.PersistentVolume) {
	is, was := &object.Status, &old.Status
	switch {
	case is.Phase == was.Phase && is.LastPhaseTransitionTime == nil:
		is.LastPhaseTransitionTime = was.LastPhaseTransitionTime
	case is.Phase != was.Phase && (is.LastPhaseTransitionTime == nil || is.LastPhaseTransitionTime.Equal(was.LastPhaseTransitionTime)):
		now := metav1.Now()
		is.LastPhaseTransitionTime = &now
	}
}

// agreeOnSource sets dataSource from dataSourceRef and the other way round. dataSource may
// refer to claims and snapshots only.
func agreeOnSource(object, old *corev1.PersistentVolumeClaimSpec) {
	if old == nil {
		old = new(corev1.PersistentVolumeClaimSpec)
	}
	elsewhere := func() bool {
		ref := object.DataSourceRef
		return ref != nil && ref.Namespace != nil && *ref.Namespace != ""
	}
	// A source in another namespace is behind a feature gate.
	if elsewhere() && old.DataSourceRef == nil {
		object.DataSourceRef = nil
	}
	if from := object.DataSource; from != nil && object.DataSourceRef == nil && old.DataSource == nil && old.DataSourceRef == nil {
		group := ""
		if from.APIGroup != nil {
			group = *from.APIGroup
		}
		if of := from.Kind + "." + group; of != "PersistentVolumeClaim." && of != "VolumeSnapshot.snapshot.storage.k8s.io" {
			object.DataSource = nil
		}
	}
	switch from, ref := object.DataSource, object.DataSourceRef; {
	case from != nil && ref == nil:
		object.DataSourceRef = &corev1.TypedObjectReference{APIGroup: from.APIGroup, Kind: from.Kind, Name: from.Name}
	case from == nil && ref != nil && !elsewhere():
		object.DataSource = &corev1.TypedLocalObjectReference{APIGroup: ref.APIGroup, Kind: ref.Kind, Name: ref.Name}
	}
}
