{{/* The services of this release with their facts: everything but the sandbox, and that too if it is wanted. */}}
{{- define "parley.services" -}}
{{- $services := .Files.Get "files/services.yaml" | fromYaml -}}
{{- if not .Values.services.sandbox.enabled -}}
{{- $services = omit $services "sandbox" -}}
{{- end -}}
{{- toYaml $services -}}
{{- end -}}

{{/*
A service's block of values over the defaults: (list $ "identity"). With externalSecrets its Secret comes from there, as if it were
named in existingSecret; the name differs from that of a Secret that the chart has made before.
*/}}
{{- define "parley.settings" -}}
{{- $root := first . -}}
{{- $settings := mergeOverwrite (deepCopy $root.Values.defaults) (deepCopy (index $root.Values.services (last .))) -}}
{{- if include "parley.hasExternalSecret" . -}}
{{- $_ := set $settings "existingSecret" (printf "%s-external" (include "parley.name" .)) -}}
{{- end -}}
{{- toYaml $settings -}}
{{- end -}}

{{/* Whether an ExternalSecret makes the Secret of a service: all but those with a Secret of their own and the sandbox. */}}
{{- define "parley.hasExternalSecret" -}}
{{- $own := index (first .).Values.services (last .) -}}
{{- if and (first .).Values.externalSecrets.enabled (ne (last .) "sandbox") (not (or $own.existingSecret (first .).Values.defaults.existingSecret)) -}}
yes
{{- end -}}
{{- end -}}

{{/* identity -> IDENTITY_ADDRESS, numbers-routing -> NUMBERS_ROUTING_ADDRESS */}}
{{- define "parley.addressVariable" -}}
{{- printf "%s_ADDRESS" (. | upper | replace "-" "_") -}}
{{- end -}}

{{/*
The plain variables of a service. gRPC addresses name headless Services, so a client connects to every replica and balances its
requests; behind one cluster address a long-lived HTTP/2 connection would stay with a single pod.
*/}}
{{- define "parley.config" -}}
{{- $root := first . -}}
{{- $service := last . -}}
{{- $settings := include "parley.settings" . | fromYaml -}}
{{- $facts := index (include "parley.services" $root | fromYaml) $service -}}
{{- $sandbox := include "parley.name" (list $root "sandbox") -}}
{{- $config := dict "LOG_LEVEL" $root.Values.logLevel "HEALTH_LISTEN" "0.0.0.0:9090" "DRAIN_SECS" (toString $settings.drainSeconds) -}}
{{- if $facts.grpc -}}
{{- $_ := set $config "GRPC_LISTEN" "0.0.0.0:50051" -}}
{{- end -}}
{{- if $facts.mongodb -}}
{{- $_ := set $config "MONGODB_DATABASE" (printf "%s_%s" $root.Values.mongodb.databasePrefix ($service | replace "-" "_")) -}}
{{- end -}}
{{- if $facts.nats -}}
{{- $_ := set $config "NATS_URL" $root.Values.nats.url -}}
{{- $_ := set $config "NATS_REPLICAS" (toString $root.Values.nats.replicas) -}}
{{- if eq $root.Values.nats.auth "creds" -}}
{{- $_ := set $config "NATS_CREDS_FILE" "/etc/parley/nats/nats.creds" -}}
{{- end -}}
{{- end -}}
{{- range $facts.calls -}}
{{- $_ := set $config (include "parley.addressVariable" .) (printf "dns:///%s:50051" (include "parley.name" (list $root .))) -}}
{{- end -}}
{{- if and $root.Values.tls.enabled $facts.rpc -}}
{{- $_ := set $config "TLS_CERT_FILE" "/etc/parley/tls/tls.crt" -}}
{{- $_ := set $config "TLS_KEY_FILE" "/etc/parley/tls/tls.key" -}}
{{- $_ := set $config "TLS_CA_FILE" "/etc/parley/tls/ca.crt" -}}
{{- end -}}
{{- if $facts.publicUrl -}}
{{- $_ := set $config "PUBLIC_URL" $root.Values.services.gateway.publicUrl -}}
{{- end -}}
{{- with $root.Values.telemetry.otlpEndpoint -}}
{{- $_ := set $config "OTEL_EXPORTER_OTLP_ENDPOINT" . -}}
{{- end -}}
{{- if $root.Values.monitoring.serviceMonitor.enabled -}}
{{- $_ := set $config "METRICS_LISTEN" "0.0.0.0:9464" -}}
{{- end -}}
{{- if eq $service "gateway" -}}
{{- $_ := set $config "PUBLIC_LISTEN" (printf "0.0.0.0:%v" $facts.ports.public) -}}
{{- $_ := set $config "OPERATOR_LISTEN" (printf "0.0.0.0:%v" $facts.ports.operator) -}}
{{- $hosts := default (list (urlParse $settings.publicUrl).hostname) $settings.publicHosts -}}
{{- if $root.Values.services.sandbox.enabled -}}
{{- /* The simulated SMS provider reports to it by this name. */ -}}
{{- $hosts = append $hosts (include "parley.name" .) -}}
{{- end -}}
{{- $_ := set $config "PUBLIC_HOSTS" (uniq $hosts | join ",") -}}
{{- $_ := set $config "RATE_LIMIT_PER_SECOND" (ternary "" (toString $settings.rateLimit.perSecond) (eq (int $settings.rateLimit.perSecond) 0)) -}}
{{- $_ := set $config "RATE_LIMIT_BURST" (toString $settings.rateLimit.burst) -}}
{{- $_ := set $config "PROXY_HOPS" (toString $settings.proxyHops) -}}
{{- $_ := set $config "SIP_WEBSOCKET_URL" $root.Values.telephony.websocketUrl -}}
{{- else if eq $service "identity" -}}
{{- $_ := set $config "MAIL_FROM" $settings.mailFrom -}}
{{- else if eq $service "call-control" -}}
{{- $_ := set $config "SIP_DOMAIN" $root.Values.telephony.sipDomain -}}
{{- $_ := set $config "SIP_WEBSOCKET_URL" $root.Values.telephony.websocketUrl -}}
{{- $carriers := $root.Values.telephony.carriers -}}
{{- if and (not $carriers) (include "parley.hasSandboxSwitch" $root) -}}
{{- $carriers = list (dict "name" "sandbox" "dial" "sofia/external/{number}@carrier.invalid") -}}
{{- end -}}
{{- $_ := set $config "CARRIERS" (toJson $carriers) -}}
{{- if include "parley.hasSwitches" $root -}}
{{- $_ := set $config "SWITCH_LISTEN" (printf "0.0.0.0:%v" $facts.ports.switches) -}}
{{- $_ := set $config "SWITCH_HTTP_URL" (include "parley.callControlUrl" $root) -}}
{{- end -}}
{{- else if eq $service "assistant" -}}
{{- if include "parley.hasSwitches" $root -}}
{{- $_ := set $config "ASSISTANT_SIP_LISTEN" (printf "0.0.0.0:%v" $facts.ports.sip) -}}
{{- $_ := set $config "ASSISTANT_RTP_PORTS" $settings.rtpPorts -}}
{{- $_ := set $config "ASSISTANT_SWITCH_NETWORKS" (join "," (include "parley.switchNetworks" $root | fromYamlArray)) -}}
{{- end -}}
{{- else if include "parley.usesSandboxProvider" . -}}
{{- $_ := set $config "SANDBOX_URL" (printf "http://%s:8082" $sandbox) -}}
{{- $_ := set $config "TELNYX_API_URL" (printf "http://%s:8082" $sandbox) -}}
{{- $_ := set $config "TELNYX_API_KEY" "sandbox" -}}
{{- /* Without the fixed beginning of every key of this kind. */ -}}
{{- $_ := set $config "TELNYX_PUBLIC_KEY" (index (include "parley.keyring" $root | fromYaml).trusted "sandbox" | trimPrefix "MCowBQYDK2VwAyEA") -}}
{{- else if eq $service "sandbox" -}}
{{- if include "parley.hasSandboxSwitch" $root -}}
{{- $_ := set $config "EVENT_SOCKET_LISTEN" (printf "0.0.0.0:%v" (index $facts.ports "event-socket")) -}}
{{- $_ := set $config "SWITCH_SIP_LISTEN" "0.0.0.0:5060" -}}
{{- $_ := set $config "SIP_DOMAIN" $root.Values.telephony.sipDomain -}}
{{- $_ := set $config "SWITCH_HTTP_URL" (include "parley.callControlUrl" $root) -}}
{{- end -}}
{{- $_ := set $config "PUBLIC_URL" (printf "http://%s" (include "parley.name" (list $root "gateway"))) -}}
{{- $_ := set $config "SANDBOX_LISTEN" (printf "0.0.0.0:%v" $facts.ports.sandbox) -}}
{{- $_ := set $config "SMTP_LISTEN" (printf "0.0.0.0:%v" $facts.ports.smtp) -}}
{{- /* The network policy restricts who can reach it. */ -}}
{{- $_ := set $config "SANDBOX_ALLOW_REMOTE" "on" -}}
{{- $_ := set $config "SANDBOX_HOSTS" (list $sandbox (printf "%s.%s" $sandbox $root.Release.Namespace) (printf "%s.%s.svc" $sandbox $root.Release.Namespace) | join ",") -}}
{{- end -}}
{{- if $facts.customerAddresses -}}
{{- $origins := $settings.allowedOrigins -}}
{{- if $root.Values.services.sandbox.enabled -}}
{{- $origins = append $origins (printf "http://%s:8082" $sandbox) -}}
{{- end -}}
{{- $_ := set $config (ternary "ASSISTANT_ALLOWED_ORIGINS" "ALLOWED_ORIGINS" (eq $service "assistant")) (join "," $origins) -}}
{{- end -}}
{{- if and $root.Values.services.sandbox.enabled (ne $service "sandbox") -}}
{{- $_ := set $config "TEST_CLOCK" "on" -}}
{{- end -}}
{{- toYaml (mergeOverwrite $config $root.Values.telemetry.env $settings.env) -}}
{{- end -}}

{{/* Whether texts go to the sandbox: where it runs, has a key of the chart to sign with, and there is no account at a provider. */}}
{{- define "parley.usesSandboxProvider" -}}
{{- $settings := include "parley.settings" . | fromYaml -}}
{{- $sandbox := (first .).Values.services.sandbox -}}
{{- if and (eq (last .) "messaging-inbox") $sandbox.enabled (not $sandbox.existingSecret) (not $settings.existingSecret) (not $settings.secretEnv.TELNYX_API_KEY) -}}
yes
{{- end -}}
{{- end -}}

{{/* Names of the variables a service takes from its Secret, as {names: […]}. */}}
{{- define "parley.secretVariables" -}}
{{- $root := first . -}}
{{- $service := last . -}}
{{- $settings := include "parley.settings" . | fromYaml -}}
{{- $facts := index (include "parley.services" $root | fromYaml) $service -}}
{{- $names := list -}}
{{- if $facts.rpc }}{{ $names = append $names "SIGNING_KEY" }}{{ end -}}
{{- if $facts.mongodb }}{{ $names = append $names "MONGODB_URL" }}{{ end -}}
{{- if and $facts.nats (eq $root.Values.nats.auth "password") }}{{ $names = concat $names (list "NATS_USER" "NATS_PASSWORD") }}{{ end -}}
{{- if $facts.encrypts }}{{ $names = append $names "ENCRYPTION_KEY" }}{{ end -}}
{{- if eq $service "gateway" }}{{ $names = append $names "OPERATOR_TOKEN" }}{{ end -}}
{{- if and (eq $service "call-control") (include "parley.hasSwitches" $root) }}{{ $names = append $names "SWITCHES" }}{{ end -}}
{{- if and (eq $service "sandbox") (not $settings.existingSecret) }}{{ $names = append $names "TELNYX_SIGNING_KEY" }}{{ end -}}
{{- if and (eq $service "sandbox") (include "parley.hasSandboxSwitch" $root) }}{{ $names = concat $names (list "EVENT_SOCKET_PASSWORD" "SWITCH_HTTP_CREDENTIALS") }}{{ end -}}
{{- if and (eq $service "call-control") (or $root.Values.telephony.iceServers $root.Values.telephony.turn.enabled) }}{{ $names = append $names "ICE_SERVERS" }}{{ end -}}
{{- if and (eq $service "call-control") $root.Values.telephony.recordingStore }}{{ $names = append $names "RECORDINGS_S3" }}{{ end -}}
{{- if and (eq $service "identity") (or $settings.smtpUrl $settings.existingSecret $root.Values.services.sandbox.enabled) }}{{ $names = append $names "SMTP_URL" }}{{ end -}}
{{- if $settings.existingSecret -}}
{{- $names = concat $names $settings.existingSecretKeys -}}
{{- else -}}
{{- $names = concat $names (keys $settings.secretEnv | sortAlpha) -}}
{{- end -}}
{{- dict "names" (uniq (without $names "NATS_CREDS")) | toYaml -}}
{{- end -}}
