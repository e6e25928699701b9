import type { AloneServices } from './start-alone.ts';

/** Where the services are and how to call them, for a person; the last line begins with `ready`. */
export function aloneSummary(alone: Omit<AloneServices, 'stop'>): string {
  const { services, standIns, operatorToken, infrastructure, dataDir } = alone;
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
    row('Stand-ins', `${standIns.join(', ') || 'none'}  (what they are asked: ${dataDir}/logs/stand-ins.log)`),
    ...Object.keys(services)
      .flatMap((name) => nats[name] ?? [])
      .map(({ url, user }) => row('NATS', `${url}${user ? ` as ${user}, password in ${dataDir}/secrets.json` : ''}`)),
    row('Metrics', 'pushed over OTLP/HTTP to OTEL_EXPORTER_OTLP_ENDPOINT'),
    row('Data and logs', dataDir),
    '',
    `ready: ${Object.keys(services).join(', ')} (Ctrl-C stops everything)`,
  ].join('\n');
}

/** The stand-in for identity accepts every API key that begins with pk_. */
function gatewayRows(publicApi: string, operatorToken: string): string[] {
  return [
    row('Try', `curl -H 'X-Api-Key: pk_any' ${publicApi}/contacts`),
    row('Operator', `Authorization: Bearer ${operatorToken}`),
  ];
}

function row(name: string, value: string): string {
  return `  ${name.padEnd(14)} ${value}`;
}
