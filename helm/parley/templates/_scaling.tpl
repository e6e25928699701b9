{{/* Whether a service follows events: the broker's permissions name its followers. */}}
{{- define "parley.followsEvents" -}}
{{- $permissions := get ((first .).Files.Get "files/nats-permissions.json" | fromJson) (last .) -}}
{{- if contains ".signals.followers." (toJson $permissions) -}}
yes
{{- end -}}
{{- end -}}

{{/* Whether KEDA scales a service, on the lag of its followers beside CPU. The others have a HorizontalPodAutoscaler of the chart. */}}
{{- define "parley.scalesOnLag" -}}
{{- $settings := include "parley.settings" . | fromYaml -}}
{{- if and $settings.autoscaling.enabled $settings.autoscaling.lag.enabled (include "parley.followsEvents" .) -}}
{{- if not $settings.autoscaling.lag.prometheusUrl -}}
{{- fail "autoscaling.lag.enabled needs autoscaling.lag.prometheusUrl, such as http://prometheus-operated.monitoring:9090" -}}
{{- end -}}
yes
{{- end -}}
{{- end -}}
