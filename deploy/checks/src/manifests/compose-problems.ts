import { parse } from 'yaml';
import { neededVariables, optionalVariables, type ServiceFacts, upperSnake } from './service-facts.ts';

interface ComposeService {
  image?: string;
  build?: { dockerfile?: string; args?: { SERVICE?: string } };
  environment?: Record<string, string>;
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: object;
  profiles?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  volumes?: string[];
  networks?: string[];
}

export interface Compose {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean }>;
}

/** Published to the host, for people: the two APIs, the traces, the dashboards, the sandbox's. */
const publishing = ['gateway', 'jaeger', 'grafana', 'sandbox', 'freeswitch'];
/** Carriers, phones and browsers are elsewhere. */
const publishingBeyond = ['freeswitch'];

export function parseCompose(text: string): Compose {
  return parse(text, { merge: true }) as Compose;
}

/** Compares docker-compose.yml with the table of services and the variables of its env file. */
export function composeProblems(
  compose: Compose,
  facts: Record<string, ServiceFacts>,
  envNames: Set<string>,
): string[] {
  const ours = Object.entries(facts).flatMap(([name, own]) => {
    const service = compose.services[name];
    return service ? serviceProblems(name, service, own, compose) : [`${name}: is not there`];
  });
  const all = Object.entries(compose.services).flatMap(([name, service]) => [
    ...portProblems(name, service),
    ...dependencyProblems(name, service, compose, facts),
    ...interpolated(service)
      .filter((variable) => !envNames.has(variable))
      .map((variable) => `${name}: \${${variable}} is in no env file`),
  ]);
  return [...ours, ...all];
}

function serviceProblems(name: string, service: ComposeService, facts: ServiceFacts, compose: Compose): string[] {
  const given = Object.keys(service.environment ?? {});
  const needed = neededVariables(name, facts);
  const known = new Set([...needed, ...optionalVariables(name, facts)]);
  const isPeerAddress = ([variable]: [string, string]) =>
    variable.endsWith('_ADDRESS') && variable !== 'ASSISTANT_MEDIA_ADDRESS';
  const lost = Object.entries(service.environment ?? {})
    .filter(isPeerAddress)
    .filter(([variable, value]) => {
      const peer = /^dns:\/\/\/([a-z-]+):50051$/.exec(value)?.[1] ?? '';
      return !compose.services[peer] || variable !== `${upperSnake(peer)}_ADDRESS`;
    });
  const hardened =
    service.read_only && service.cap_drop?.includes('ALL') && service.security_opt?.includes('no-new-privileges:true');
  return [
    ...needed.filter((variable) => !given.includes(variable)).map((variable) => `${name}: is not given ${variable}`),
    ...given.filter((variable) => !known.has(variable)).map((variable) => `${name}: has no setting ${variable}`),
    ...lost.map(([variable, value]) => `${name}: ${variable}=${value} leads nowhere`),
    ...(service.build?.args?.SERVICE === name ? [] : [`${name}: is built as ${service.build?.args?.SERVICE}`]),
    ...(facts.customerAddresses && !service.networks?.includes('outside')
      ? [`${name}: cannot reach the addresses that customers name`]
      : []),
    ...(hardened ? [] : [`${name}: is not read-only and without privileges`]),
    ...((service.profiles?.[0] === 'sandbox') === (name === 'sandbox') ? [] : [`${name}: is in the wrong profile`]),
  ];
}

function portProblems(name: string, { ports = [] }: ComposeService): string[] {
  return [
    ...(ports.length > 0 && !publishing.includes(name) ? [`${name}: may not publish a port`] : []),
    ...ports
      .filter((port) => !port.startsWith('127.0.0.1:') && !publishingBeyond.includes(name))
      .map((port) => `${name}: publishes ${port} beyond this machine`),
  ];
}

function dependencyProblems(
  name: string,
  service: ComposeService,
  compose: Compose,
  facts: Record<string, ServiceFacts>,
): string[] {
  return Object.entries(service.depends_on ?? {}).flatMap(([target, { condition }]) => {
    const found = compose.services[target];
    if (!found) return [`${name}: depends on ${target}, which is not there`];
    if (found.profiles && !service.profiles)
      return [`${name}: depends on ${target}, which is only there with a profile`];
    // Our own images bring their health check along.
    const healthKnown = found.healthcheck !== undefined || target in facts;
    return condition === 'service_healthy' && !healthKnown
      ? [`${name}: waits for the health of ${target}, which has no check`]
      : [];
  });
}

/** Names in ${…} without a default, which must be set. */
function interpolated(service: ComposeService): string[] {
  return [...JSON.stringify(service.environment ?? {}).matchAll(/\$\{(\w+)(?::\?[^}]*)?\}/g)].map(
    ([, variable]) => variable ?? '',
  );
}
