{{/*
Ed25519 public key (base64 DER SPKI) of a private one (base64 DER PKCS8). Helm has no function for it, but a certificate
made with the key carries the public one: 32 bytes after the fixed 12-byte SPKI header of RFC 8410, whose base64 is
exactly the 16 characters below.
*/}}
{{- define "parley.publicKey" -}}
{{- $header := "MCowBQYDK2VwAyEA" -}}
{{- $pem := printf "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n" . -}}
{{- $certificate := (genSelfSignedCertWithKey "parley" nil nil 1 $pem).Cert -}}
{{- $der := $certificate | replace "-----BEGIN CERTIFICATE-----" "" | replace "-----END CERTIFICATE-----" "" | nospace | b64dec -}}
{{- $parts := splitList (b64dec $header) $der -}}
{{- if ne (len $parts) 2 }}{{ fail "a signing key is not an Ed25519 key in PKCS8 form" }}{{ end -}}
{{- printf "%s%s" $header (substr 0 32 (last $parts) | b64enc) -}}
{{- end -}}

{{- define "parley.newSigningKey" -}}
{{- genPrivateKey "ed25519" | replace "-----BEGIN PRIVATE KEY-----" "" | replace "-----END PRIVATE KEY-----" "" | nospace -}}
{{- end -}}

{{/* The address of MongoDB for a service: (list "identity" "mongodb://…"). Refuses one that lets everybody in. */}}
{{- define "parley.mongodbUrl" -}}
{{- $url := last . -}}
{{- if not (or (regexMatch "^mongodb(\\+srv)?://[^/@]+:[^/@]+@" $url) (regexMatch "[?&](authMechanism=|directConnection=true(&|$))" $url)) -}}
{{- fail (printf "mongodb.url needs credentials, mongodb://user:password@host/…; or give services.%s.secretEnv.MONGODB_URL, or a Secret of your own as services.%s.existingSecret" (first .) (first .)) -}}
{{- end -}}
{{- $url -}}
{{- end -}}

{{/*
Secrets by service and the trusted public keys, computed once per rendering and cached, because generated values are
random and must be the same wherever they appear. An upgrade keeps the values of the previous install (lookup).
*/}}
{{- define "parley.keyring" -}}
{{- if not (hasKey .Values "keyring") -}}
{{- $root := . -}}
{{- $natsPassword := .Values.nats.password -}}
{{- $secrets := dict -}}
{{- $trusted := dict -}}
{{- range $service, $facts := include "parley.services" . | fromYaml -}}
{{- $settings := include "parley.settings" (list $root $service) | fromYaml -}}
{{- if $settings.existingSecret -}}
{{- if $facts.rpc -}}
{{- $missing := printf "services.%s.existingSecret needs its public key in trustedKeys.%s" $service $service -}}
{{- $_ := set $trusted $service (required $missing (get $root.Values.trustedKeys $service)) -}}
{{- end -}}
{{- else -}}
{{- $stored := dict -}}
{{- range $name, $value := get (lookup "v1" "Secret" $root.Release.Namespace (include "parley.name" (list $root $service)) | default dict) "data" | default dict -}}
{{- $_ := set $stored $name (b64dec $value) -}}
{{- end -}}
{{- $values := dict -}}
{{- range (include "parley.secretVariables" (list $root $service) | fromYaml).names -}}
{{- $given := get $settings.secretEnv . -}}
{{- $kept := default (get $stored .) $given -}}
{{- if eq . "MONGODB_URL" }}{{ $_ := set $values . (include "parley.mongodbUrl" (list $service ($given | default $root.Values.mongodb.url))) }}
{{- else if $given }}{{ $_ := set $values . $given }}
{{- else if eq . "NATS_USER" }}{{ $_ := set $values . ($root.Values.nats.user | default $service) }}
{{- else if eq . "NATS_PASSWORD" -}}
{{- /* NATS would read a password of digits in its configuration as a number. */ -}}
{{- $password := $natsPassword | default $kept | default (printf "p%s" (randAlphaNum 32)) -}}
{{- if $root.Values.nats.user }}{{ $natsPassword = $password }}{{ end -}}
{{- $_ := set $values . $password -}}
{{- else if eq . "SMTP_URL" }}{{ $_ := set $values . ($settings.smtpUrl | default (printf "smtp://%s:2525" (include "parley.name" (list $root "sandbox")))) }}
{{- else if eq . "SIGNING_KEY" }}{{ $_ := set $values . ($kept | default (include "parley.newSigningKey" $root)) }}
{{- else if eq . "TELNYX_SIGNING_KEY" }}{{ $_ := set $values . $values.SIGNING_KEY }}
{{- else if has . (list "EVENT_SOCKET_PASSWORD" "SWITCH_HTTP_CREDENTIALS") }}{{ $_ := set $values . (index (include "parley.sandboxSwitchSecrets" $root | fromYaml) .) }}
{{- else if eq . "ENCRYPTION_KEY" }}{{ $_ := set $values . ($kept | default (randBytes 32)) }}
{{- else if eq . "SWITCHES" }}{{ $_ := set $values . (include "parley.switches" $root) }}
{{- else if eq . "ICE_SERVERS" }}{{ $_ := set $values . (include "parley.iceServers" $root) }}
{{- else if eq . "RECORDINGS_S3" }}{{ $_ := set $values . (toJson $root.Values.telephony.recordingStore) }}
{{- else if eq . "OPERATOR_TOKEN" }}{{ $_ := set $values . ($kept | default (randAlphaNum 43)) }}
{{- end -}}
{{- end -}}
{{- if and $facts.nats (eq $root.Values.nats.auth "creds") -}}
{{- $missing := printf "nats.auth is creds: give services.%s.existingSecret or services.%s.secretEnv.NATS_CREDS" $service $service -}}
{{- $_ := set $values "NATS_CREDS" (required $missing (get $settings.secretEnv "NATS_CREDS")) -}}
{{- end -}}
{{- $_ := set $secrets $service $values -}}
{{- if $facts.rpc -}}
{{- $_ := set $trusted $service (get $root.Values.trustedKeys $service | default (include "parley.publicKey" $values.SIGNING_KEY)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $_ := set .Values "keyring" (dict "secrets" $secrets "trusted" $trusted) -}}
{{- end -}}
{{- toYaml .Values.keyring -}}
{{- end -}}
