import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

/** The properties of a service in the chart (helm/parley/files/services.yaml). */
export interface ServiceFacts {
  calls: string[];
  grpc: boolean;
  rpc: boolean;
  mongodb: boolean;
  nats: boolean;
  encrypts: boolean;
  publicUrl: boolean;
  /** Connects to addresses that customers name. */
  customerAddresses: boolean;
  ports: Record<string, number>;
}

export function readServiceFacts(root: string): Record<string, ServiceFacts> {
  return parse(readFileSync(path.join(root, 'helm/parley/files/services.yaml'), 'utf8')) as Record<
    string,
    ServiceFacts
  >;
}

/** `numbers-routing` as variables spell it: NUMBERS_ROUTING. */
export function upperSnake(service: string): string {
  return service.toUpperCase().replaceAll('-', '_');
}

/** The variables a service has to be given, whatever runs it. */
export function neededVariables(service: string, facts: ServiceFacts): string[] {
  const own: Record<string, string[]> = {
    gateway: [
      'PUBLIC_LISTEN',
      'OPERATOR_LISTEN',
      'OPERATOR_TOKEN',
      'PUBLIC_HOSTS',
      'PROXY_HOPS',
      'RATE_LIMIT_PER_SECOND',
      'RATE_LIMIT_BURST',
    ],
    identity: ['MAIL_FROM'],
    sandbox: ['SANDBOX_LISTEN', 'SMTP_LISTEN', 'SANDBOX_ALLOW_REMOTE', 'SANDBOX_HOSTS'],
  };
  return [
    'LOG_LEVEL',
    'HEALTH_LISTEN',
    ...(facts.grpc ? ['GRPC_LISTEN'] : []),
    ...(facts.rpc ? ['SIGNING_KEY', 'TRUSTED_KEYS'] : []),
    ...(facts.mongodb ? ['MONGODB_URL', 'MONGODB_DATABASE'] : []),
    ...(facts.nats ? ['NATS_URL', 'NATS_REPLICAS'] : []),
    ...(facts.encrypts ? ['ENCRYPTION_KEY'] : []),
    ...(facts.publicUrl ? ['PUBLIC_URL'] : []),
    ...(facts.customerAddresses ? [service === 'assistant' ? 'ASSISTANT_ALLOWED_ORIGINS' : 'ALLOWED_ORIGINS'] : []),
    ...facts.calls.map((peer) => `${upperSnake(peer)}_ADDRESS`),
    ...(own[service] ?? []),
  ];
}

/** The variables it may be given besides. */
export function optionalVariables(service: string, facts: ServiceFacts): string[] {
  const own: Record<string, string[]> = {
    gateway: ['SIP_WEBSOCKET_URL', 'SANDBOX_URL'],
    identity: ['SMTP_URL'],
    'call-control': [
      'SWITCHES',
      'CARRIERS',
      'SWITCH_LISTEN',
      'SWITCH_HTTP_URL',
      'SIP_DOMAIN',
      'SIP_WEBSOCKET_URL',
      'ICE_SERVERS',
      'RECORDINGS_S3',
    ],
    'messaging-inbox': ['TELNYX_API_URL', 'TELNYX_API_KEY', 'TELNYX_PUBLIC_KEY', 'SANDBOX_URL'],
    assistant: [
      'ASSISTANT_SIP_LISTEN',
      'ASSISTANT_MEDIA_ADDRESS',
      'ASSISTANT_SWITCH_NETWORKS',
      'ASSISTANT_URL',
      'ASSISTANT_MODEL',
      'ASSISTANT_API_KEY',
    ],
    sandbox: [
      'PUBLIC_URL',
      'TELNYX_SIGNING_KEY',
      'EVENT_SOCKET_LISTEN',
      'EVENT_SOCKET_PASSWORD',
      'SWITCH_HTTP_URL',
      'SWITCH_HTTP_CREDENTIALS',
      'SWITCH_SIP_LISTEN',
    ],
  };
  return [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OTEL_LOGS_EXPORTER',
    'METRICS_LISTEN',
    'TEST_CLOCK',
    ...(facts.nats ? ['NATS_USER', 'NATS_PASSWORD', 'NATS_CREDS_FILE'] : []),
    ...(facts.rpc ? ['TLS_CERT_FILE', 'TLS_KEY_FILE', 'TLS_CA_FILE'] : []),
    ...(own[service] ?? []),
  ];
}
