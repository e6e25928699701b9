{{/* Whether calls have a switch at all. Without `from` a NetworkPolicy allows everyone, so it has to be given. */}}
{{- define "parley.hasSwitches" -}}
{{- if or .Values.telephony.freeswitch.enabled .Values.telephony.switches -}}
{{- if not .Values.telephony.switchesFrom -}}
{{- fail "telephony.switchesFrom is required with telephony.switches or telephony.freeswitch.enabled: who may connect to call-control's port 8083, such as [{ipBlock: {cidr: 10.0.0.0/16}}] with the addresses of the switches" -}}
{{- end -}}
yes
{{- end -}}
{{- end -}}

{{/*
The two secrets between call-control and the switches of this release, computed once per rendering and cached. An
upgrade finds what an earlier install made.
*/}}
{{- define "parley.switchSecrets" -}}
{{- if not (hasKey .Values "switchSecrets") -}}
{{- $name := include "parley.name" (list . "freeswitch") -}}
{{- $stored := get (lookup "v1" "Secret" .Release.Namespace $name | default dict) "data" | default dict -}}
{{- $values := dict -}}
{{- range list "EVENT_SOCKET_PASSWORD" "SWITCH_SECRET" -}}
{{- $given := get $.Values.telephony.freeswitch.secretEnv . -}}
{{- $_ := set $values . ($given | default (get $stored . | default "" | b64dec) | default (randAlphaNum 32)) -}}
{{- end -}}
{{- $_ := set .Values "switchSecrets" $values -}}
{{- end -}}
{{- toYaml .Values.switchSecrets -}}
{{- end -}}

{{/* Call-control's SWITCHES: those elsewhere, and one for each pod of the StatefulSet, by its own name. */}}
{{- define "parley.switches" -}}
{{- $switches := .Values.telephony.switches -}}
{{- $name := include "parley.name" (list . "freeswitch") -}}
{{- if .Values.telephony.freeswitch.enabled -}}
{{- $secrets := include "parley.switchSecrets" . | fromYaml -}}
{{- range $index := until (int .Values.telephony.freeswitch.replicas) -}}
{{- $pod := printf "%s-%d" $name $index -}}
{{- if gt (len $pod) 40 }}{{ fail (printf "the name of a switch has at most 40 characters, not %s: set fullnameOverride" $pod) }}{{ end -}}
{{- $url := printf "esl://call-control:%s@%s.%s:8021" $secrets.EVENT_SOCKET_PASSWORD $pod $name -}}
{{- $switches = append $switches (dict "name" $pod "url" $url "secret" $secrets.SWITCH_SECRET) -}}
{{- end -}}
{{- end -}}
{{- toJson $switches -}}
{{- end -}}

{{/* Call-control's port for switches, as they reach it. */}}
{{- define "parley.callControlUrl" -}}
{{- .Values.telephony.callControlUrl | default (printf "http://%s-switches:8083" (include "parley.name" (list . "call-control"))) -}}
{{- end -}}

{{/* The addresses of switches as networks, for those that check them by themselves. */}}
{{- define "parley.switchNetworks" -}}
{{- $networks := .Values.telephony.switchNetworks -}}
{{- if not $networks -}}
{{- range .Values.telephony.switchesFrom -}}
{{- with .ipBlock }}{{ $networks = append $networks .cidr }}{{ end -}}
{{- end -}}
{{- end -}}
{{- toYaml $networks -}}
{{- end -}}
