{{- define "parley.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- $full := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) -}}
{{- default $full .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{/* Name of a service's objects: (list $ "identity") */}}
{{- define "parley.name" -}}
{{- printf "%s-%s" (include "parley.fullname" (first .)) (last .) -}}
{{- end -}}

{{- define "parley.selector" -}}
app.kubernetes.io/name: {{ (first .).Chart.Name }}
app.kubernetes.io/instance: {{ (first .).Release.Name }}
app.kubernetes.io/component: {{ last . }}
{{- end -}}

{{/* Labels of what belongs to no single service. */}}
{{- define "parley.sharedLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: parley
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name (.Chart.Version | replace "+" "_") }}
{{- end -}}

{{- define "parley.labels" -}}
{{ include "parley.sharedLabels" (first .) }}
app.kubernetes.io/component: {{ last . }}
{{- end -}}

{{/* Name of the Secret a service reads: its own from values, or the chart's. */}}
{{- define "parley.secretName" -}}
{{- $settings := include "parley.settings" . | fromYaml -}}
{{- default (include "parley.name" .) $settings.existingSecret -}}
{{- end -}}

{{- define "parley.tlsSecretName" -}}
{{- $settings := include "parley.settings" . | fromYaml -}}
{{- default (printf (first .).Values.tls.secretNamePattern (include "parley.name" .)) $settings.tlsSecret -}}
{{- end -}}
