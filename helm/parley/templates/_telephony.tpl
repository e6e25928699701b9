{{/* Whether calls have a switch at all. Without `from` a NetworkPolicy allows everyone, so it has to be given. */}}
{{- define "parley.hasSwitches" -}}
{{- if include "parley.hasSandboxSwitch" . -}}
yes
{{- else if or .Values.telephony.freeswitch.enabled .Values.telephony.switches -}}
{{- if not .Values.telephony.switchesFrom -}}
{{- fail "telephony.switchesFrom is required with telephony.switches or telephony.freeswitch.enabled: who may connect to call-control's port 8083, such as [{ipBlock: {cidr: 10.0.0.0/16}}] with the addresses of the switches" -}}
{{- end -}}
yes
{{- end -}}
{{- end -}}

{{/* Whether the sandbox is the switch: where it runs, there is no other one, and the chart makes the Secrets of both ends. */}}
{{- define "parley.hasSandboxSwitch" -}}
{{- $real := or .Values.telephony.freeswitch.enabled .Values.telephony.switches -}}
{{- $own := or .Values.services.sandbox.existingSecret (include "parley.settings" (list . "call-control") | fromYaml).existingSecret -}}
{{- if and .Values.services.sandbox.enabled (not $real) (not $own) -}}yes{{- end -}}
{{- end -}}

{{/* The secrets between call-control and the sandbox, kept in the Secret of the sandbox. */}}
{{- define "parley.sandboxSwitchSecrets" -}}
{{- if not (hasKey .Values "sandboxSwitchSecrets") -}}
{{- $stored := get (lookup "v1" "Secret" .Release.Namespace (include "parley.name" (list . "sandbox")) | default dict) "data" | default dict -}}
{{- $password := get $stored "EVENT_SOCKET_PASSWORD" | default "" | b64dec | default (randAlphaNum 32) -}}
{{- $credentials := get $stored "SWITCH_HTTP_CREDENTIALS" | default "" | b64dec | default (printf "sandbox:%s" (randAlphaNum 32)) -}}
{{- $_ := set .Values "sandboxSwitchSecrets" (dict "EVENT_SOCKET_PASSWORD" $password "SWITCH_HTTP_CREDENTIALS" $credentials) -}}
{{- end -}}
{{- toYaml .Values.sandboxSwitchSecrets -}}
{{- end -}}

{{/* Who is let in as a switch, as peers of a NetworkPolicy. */}}
{{- define "parley.switchPeers" -}}
{{- if include "parley.hasSandboxSwitch" . -}}
{{- include "parley.peer" (list . "sandbox") -}}
{{- else -}}
{{- toYaml .Values.telephony.switchesFrom -}}
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
{{- $switch := dict "name" $pod "url" $url "secret" $secrets.SWITCH_SECRET -}}
{{- if include "parley.hasTrunks" $ }}{{ $_ := set $switch "trunk" (printf "%s.%s:%s" $pod $name (include "parley.trunkPort" $)) }}{{ end -}}
{{- $switches = append $switches $switch -}}
{{- end -}}
{{- end -}}
{{- if include "parley.hasSandboxSwitch" . -}}
{{- $secrets := include "parley.sandboxSwitchSecrets" . | fromYaml -}}
{{- $url := printf "esl://call-control:%s@%s:8021" $secrets.EVENT_SOCKET_PASSWORD (include "parley.name" (list . "sandbox")) -}}
{{- $switches = append $switches (dict "name" "sandbox" "url" $url "secret" (trimPrefix "sandbox:" $secrets.SWITCH_HTTP_CREDENTIALS)) -}}
{{- end -}}
{{- toJson $switches -}}
{{- end -}}

{{/* Whether the switches of the StatefulSet call each other: they are several, and their addresses are known. */}}
{{- define "parley.hasTrunks" -}}
{{- if and (gt (int .Values.telephony.freeswitch.replicas) 1) (include "parley.switchNetworks" . | fromYamlArray) -}}yes{{- end -}}
{{- end -}}

{{- define "parley.trunkPort" -}}
{{- get .Values.telephony.freeswitch.env "SWITCHES_PORT" | default "5082" -}}
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
{{- if and (not $networks) (include "parley.hasSandboxSwitch" .) -}}
{{- /* Addresses of pods; the network policy lets in those of the sandbox only. */ -}}
{{- $networks = list "10.0.0.0/8" "100.64.0.0/10" "172.16.0.0/12" "192.168.0.0/16" -}}
{{- end -}}
{{- toYaml $networks -}}
{{- end -}}

{{/* The secret that call-control shares with the TURN servers of this release. An upgrade finds what an earlier install made. */}}
{{- define "parley.turnSecret" -}}
{{- if not (hasKey .Values "turnSecret") -}}
{{- $stored := get (lookup "v1" "Secret" .Release.Namespace (include "parley.name" (list . "turn")) | default dict) "data" | default dict -}}
{{- $kept := get $stored "SECRET" | default "" | b64dec -}}
{{- $_ := set .Values "turnSecret" (.Values.telephony.turn.secret | default $kept | default (randAlphaNum 32)) -}}
{{- end -}}
{{- .Values.turnSecret -}}
{{- end -}}

{{/* Call-control's ICE_SERVERS: those that are named, and the TURN servers of this release. */}}
{{- define "parley.iceServers" -}}
{{- $servers := .Values.telephony.iceServers -}}
{{- with .Values.telephony.turn -}}
{{- if .enabled -}}
{{- if not .urls }}{{ fail "telephony.turn.urls is required with telephony.turn.enabled: what browsers are told, such as turn:turn.example.com:3478" }}{{ end -}}
{{- $servers = append $servers (dict "urls" .urls "secret" (include "parley.turnSecret" $)) -}}
{{- end -}}
{{- end -}}
{{- toJson $servers -}}
{{- end -}}
