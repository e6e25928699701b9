{{/* One rule towards something outside the release: (list "to" {ports, to}) */}}
{{- define "parley.outside" -}}
- ports:
    {{- range .ports }}
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
  {{- with .to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{/* Peer of a rule: the pods of one service of this release. */}}
{{- define "parley.peer" -}}
- podSelector:
    matchLabels:
      {{- include "parley.selector" . | nindent 6 }}
{{- end -}}
