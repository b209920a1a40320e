{{- /* Names are the same for every release: there is one Crosswalk in a cluster. */ -}}

{{- /* labels of an object: dict "root" $ "role" "serve" */ -}}
{{- define "crosswalk.labels" -}}
{{ include "crosswalk.selector" . }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- /* labels of an object and further ones: dict "labels" (dict "root" $) "more" .labels */ -}}
{{- define "crosswalk.labelsWith" -}}
{{- include "crosswalk.labels" .labels | fromYaml | merge (deepCopy .more) | toYaml }}
{{- end -}}

{{- /* selector of the Pods of a role. Without a role it selects both. */ -}}
{{- define "crosswalk.selector" -}}
app.kubernetes.io/name: crosswalk
{{- with .role }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end -}}

{{- define "crosswalk.image" -}}
{{- with .Values.image -}}
{{- with .registry }}{{ . }}/{{ end }}{{ .repository }}
{{- if or .tag (not .digest) }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- with .digest }}@{{ . }}{{ end }}
{{- end -}}
{{- end -}}

{{- define "crosswalk.serviceAccount" -}}
{{- $account := (get .root.Values .role).serviceAccount -}}
{{- $account.name | default (ternary (printf "crosswalk-%s" .role) "default" $account.create) -}}
{{- end -}}

{{- /* The ServiceAccount of a role. Its token is mounted if the Pod asks for it. */ -}}
{{- define "crosswalk.account" -}}
{{- $account := (get .root.Values .role).serviceAccount -}}
{{- if $account.create -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "crosswalk.serviceAccount" . }}
  namespace: {{ .root.Release.Namespace }}
  labels: {{- include "crosswalk.labels" . | nindent 4 }}
  {{- with $account.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
automountServiceAccountToken: false
---
{{- end }}
{{- end -}}

{{- define "crosswalk.subjects" -}}
- {kind: ServiceAccount, name: {{ include "crosswalk.serviceAccount" . }}, namespace: {{ .root.Release.Namespace }}}
{{- end -}}

{{- /* The common part of both roles' Pods, before their containers. */ -}}
{{- define "crosswalk.podMetadata" -}}
{{- $values := get .root.Values .role -}}
labels:
  {{- include "crosswalk.selector" . | nindent 2 }}
  {{- with merge (dict) $values.podLabels .root.Values.commonLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with merge (dict) $values.podAnnotations .root.Values.podAnnotations }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "crosswalk.podSpec" -}}
{{- $values := get .root.Values .role -}}
serviceAccountName: {{ include "crosswalk.serviceAccount" . }}
automountServiceAccountToken: true
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 0 }}
{{- end }}
{{- with $values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  seccompProfile: {type: RuntimeDefault}
{{- with $values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations: {{- toYaml . | nindent 0 }}
{{- end }}
{{- with $values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.topologySpreadConstraints }}
topologySpreadConstraints:
{{- range . }}
{{- $constraint := deepCopy . }}
{{- if not (hasKey . "labelSelector") }}
{{- $_ := set $constraint "labelSelector" (dict "matchLabels" (include "crosswalk.selector" $ | fromYaml)) }}
{{- $_ := set $constraint "matchLabelKeys" (list "pod-template-hash") }}
{{- end }}
- {{ toYaml $constraint | nindent 2 | trim }}
{{- end }}
{{- end }}
{{- with $values.extraVolumes }}
volumes: {{- toYaml . | nindent 0 }}
{{- end }}
{{- end -}}

{{- /* The common part of both roles' containers. */ -}}
{{- define "crosswalk.container" -}}
{{- $values := get .root.Values .role -}}
image: {{ include "crosswalk.image" .root }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
livenessProbe:
  httpGet: {path: /livez, port: health}
  periodSeconds: 10
  failureThreshold: 6
{{- with $values.resources }}
resources: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
{{- with $values.extraVolumeMounts }}
volumeMounts: {{- toYaml . | nindent 0 }}
{{- end }}
{{- end -}}

{{- /* GOMEMLIMIT: five sixths of the memory limit, in MiB. Where there is no limit, or one in
     another unit, serve looks at its container's limit itself. */ -}}
{{- define "crosswalk.goMemLimit" -}}
{{- $limit := dig "limits" "memory" "" .Values.serve.resources | toString -}}
{{- if regexMatch "^[0-9]+[MG]i$" $limit -}}
{{- $mebibytes := ternary 1024 1 (hasSuffix "Gi" $limit) | mul (regexFind "^[0-9]+" $limit | int64) -}}
{{ div (mul $mebibytes 5) 6 }}MiB
{{- end -}}
{{- end -}}
