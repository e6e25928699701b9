import { freePort } from '@parley/embedded';
import type { Environment } from './environment.ts';

/** Its state is in memory, so there is never a second one. */
const SINGLE = ['sandbox'];
/** Addresses that each replica has for itself. */
const LISTENING = ['GRPC_LISTEN', 'PUBLIC_LISTEN', 'OPERATOR_LISTEN', 'SWITCH_LISTEN', 'METRICS_LISTEN'];

/** `gateway` of `gateway` and of `gateway@2`. */
export const serviceOf = (processName: string): string => processName.split('@')[0] ?? processName;

/**
 * The settings of each replica's process, from those of each service. The first replica is called as its service is,
 * the others `gateway@2`, …. Clients are given the addresses of all, as a headless Service of Kubernetes would.
 */
export async function replicaEnvironments(
  environments: Readonly<Record<string, Environment>>,
  count: number,
  replicated: readonly string[] = Object.keys(environments),
): Promise<Record<string, Environment>> {
  const names = Object.keys(environments);
  const replicasOf = (service: string) => (SINGLE.includes(service) || !replicated.includes(service) ? 1 : count);
  const size = LISTENING.length + 1;
  let next = await freePort(names.length * count * size);
  const listen = () => `127.0.0.1:${next++}`;
  const replicas = names.flatMap((service) =>
    Array.from({ length: replicasOf(service) }, (_, index) => ({
      service,
      name: index === 0 ? service : `${service}@${index + 1}`,
      own: ownAddresses(environments[service] ?? {}, index, listen),
    })),
  );
  const addresses = Object.fromEntries(
    names.map((service) => {
      const ports = replicas.filter((one) => one.service === service).map(({ own }) => own.GRPC_LISTEN);
      return [`${service.replaceAll('-', '_').toUpperCase()}_ADDRESS`, `ipv4:${ports.join(',')}`];
    }),
  );
  return Object.fromEntries(
    replicas.map(({ service, name, own }) => [name, { ...environments[service], ...addresses, ...own }]),
  );
}

/** The health address of each replica, and the addresses of the gateways, by process name. */
export function replicaUrls(environments: Readonly<Record<string, Environment>>) {
  const urlOf = (address: string | undefined) => address && `http://${address}`;
  return Object.fromEntries(
    Object.entries(environments).map(([name, { HEALTH_LISTEN, PUBLIC_LISTEN }]) => [
      name,
      { health_url: urlOf(HEALTH_LISTEN), public_url: urlOf(PUBLIC_LISTEN) },
    ]),
  );
}

/** The first replica has the default addresses. */
function ownAddresses(environment: Environment, index: number, listen: () => string): Environment {
  const known = (name: string) => (index === 0 && name !== 'GRPC_LISTEN' ? environment[name] : undefined);
  const listening = LISTENING.filter((name) => environment[name] !== undefined).map((name) => [
    name,
    known(name) ?? listen(),
  ]);
  return { ...Object.fromEntries(listening), HEALTH_LISTEN: listen() };
}
