package builtin

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
)

func ofVolumes() []change {
	return []change{
		in(func(v *corev1.Volume) {
			if ptr.AllPtrFieldsNil(&v.VolumeSource) {
				v.EmptyDir = &corev1.EmptyDirVolumeSource{}
			}
			if v.Image != nil {
				value(&v.Image.PullPolicy, pullPolicy(v.Image.Reference))
			}
		}),
		in(func(s *corev1.SecretVolumeSource) { pointer(&s.DefaultMode, corev1.SecretVolumeSourceDefaultMode) }),
		in(func(s *corev1.ConfigMapVolumeSource) {
			pointer(&s.DefaultMode, corev1.ConfigMapVolumeSourceDefaultMode)
		}),
		in(func(s *corev1.DownwardAPIVolumeSource) {
			pointer(&s.DefaultMode, corev1.DownwardAPIVolumeSourceDefaultMode)
		}),
		in(func(s *corev1.ProjectedVolumeSource) {
			pointer(&s.DefaultMode, corev1.ProjectedVolumeSourceDefaultMode)
		}),
		in(func(p *corev1.ServiceAccountTokenProjection) { pointer(&p.ExpirationSeconds, 3600) }),
		in(func(s *corev1.HostPathVolumeSource) { pointer(&s.Type, corev1.HostPathUnset) }),
		in(func(s *corev1.ISCSIVolumeSource) { value(&s.ISCSIInterface, "default") }),
		in(func(s *corev1.ISCSIPersistentVolumeSource) { value(&s.ISCSIInterface, "default") }),
		in(func(s *corev1.RBDVolumeSource) { rbd(&s.RBDPool, &s.RadosUser, &s.Keyring) }),
		in(func(s *corev1.RBDPersistentVolumeSource) { rbd(&s.RBDPool, &s.RadosUser, &s.Keyring) }),
		in(func(s *corev1.ScaleIOVolumeSource) { scaleIO(&s.StorageMode, &s.FSType) }),
		in(func(s *corev1.ScaleIOPersistentVolumeSource) { scaleIO(&s.StorageMode, &s.FSType) }),
		in(func(s *corev1.AzureDiskVolumeSource) {
			pointer(&s.CachingMode, corev1.AzureDataDiskCachingReadWrite)
			pointer(&s.FSType, "ext4")
			pointer(&s.ReadOnly, false)
			pointer(&s.Kind, corev1.AzureSharedBlobDisk)
		}),
		in(func(v *corev1.PersistentVolume) {
			value(&v.Status.Phase, corev1.VolumePending)
			value(&v.Spec.PersistentVolumeReclaimPolicy, corev1.PersistentVolumeReclaimRetain)
			pointer(&v.Spec.VolumeMode, corev1.PersistentVolumeFilesystem)
		}),
		in(func(c *corev1.PersistentVolumeClaim) { value(&c.Status.Phase, corev1.ClaimPending) }),
		in(func(s *corev1.PersistentVolumeClaimSpec) { pointer(&s.VolumeMode, corev1.PersistentVolumeFilesystem) }),
	}
}

func rbd(pool, user, keyring *string) {
	value(pool, "rbd")
	value(user, "admin")
	value(keyring, "/etc/ceph/keyring")
}

func scaleIO(mode, filesystem *string) {
	value(mode, "ThinProvisioned")
	value(filesystem, "xfs")
}
