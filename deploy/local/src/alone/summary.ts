import type { AloneServices } from './start-alone.ts';

/** The addresses of the services and how to call them, for people; the last line begins with `ready`. */
export function aloneSummary(alone: Omit<AloneServices, 'stop'>): string {
  const { services, stubs, operatorToken, infrastructure, dataDir } = alone;
  const { nats, mongoUrls } = infrastructure;
  return [
    '',
    ...Object.entries(services).flatMap(([name, { grpc, health, http }]) => [
      `${name} is running.`,
      '',
      ...(grpc ? [row('gRPC', grpc), row('Call it', `npm run rpc -- ${name}  (lists its methods)`)] : []),
      ...Object.entries(http).map(([api, url]) => row(api, url)),
      ...(name === 'gateway' ? gatewayRows(http['Public API'] ?? '', operatorToken) : []),
      row('Health', health),
      ...(mongoUrls[name] ? [row('MongoDB', mongoUrls[name])] : []),
      '',
    ]),
    row('Stubs', `${stubs.join(', ') || 'none'}  (requests: ${dataDir}/logs/stubs.log)`),
    ...Object.keys(services)
      .flatMap((name) => nats[name] ?? [])
      .map(({ url, user }) => row('NATS', `${url}${user ? ` as ${user}, password in ${dataDir}/secrets.json` : ''}`)),
    row('Metrics', 'pushed over OTLP/HTTP to OTEL_EXPORTER_OTLP_ENDPOINT'),
    row('Data and logs', dataDir),
    '',
    `ready: ${Object.keys(services).join(', ')} (Ctrl-C stops everything)`,
  ].join('\n');
}

/** The stub for identity accepts every API key that begins with pk_. */
function gatewayRows(publicApi: string, operatorToken: string): string[] {
  return [
    row('Try', `curl -H 'X-Api-Key: pk_any' ${publicApi}/contacts`),
    row('Operator', `Authorization: Bearer ${operatorToken}`),
  ];
}

function row(name: string, value: string): string {
  return `  ${name.padEnd(14)} ${value}`;
}
