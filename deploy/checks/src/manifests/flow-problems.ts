import type { V1Deployment, V1NetworkPolicyPeer, V1NetworkPolicyPort } from '@kubernetes/client-node';
import { environmentNames } from './container-problems.ts';
import { type Manifest, nameOf, ofKind, podLabels, selects } from './manifest.ts';
import { neededVariables, type ServiceFacts } from './service-facts.ts';

const grpcPort = 50051;

/** Compares the rendered services with the architecture: their settings, addresses and network policies. */
export function flowProblems(objects: Manifest[], facts: Record<string, ServiceFacts>): string[] {
  const deployments = ofKind(objects, 'Deployment');
  return deployments.flatMap((deployment) => {
    const service = serviceOf(deployment);
    const own = facts[service];
    if (!own) return [`${nameOf(deployment)}: ${service} is no known service`];
    const given = environmentNames(deployment, objects);
    return [
      ...neededVariables(service, own)
        .filter((name) => !given.includes(name))
        .map((name) => `${nameOf(deployment)}: is not given ${name}`),
      ...addressProblems(deployment, objects),
      ...internetProblems(deployment, own.customerAddresses, objects),
      ...deployments.flatMap((target) =>
        callProblems(deployment, target, own.calls.includes(serviceOf(target)), objects),
      ),
    ];
  });
}

function serviceOf(deployment: V1Deployment): string {
  return podLabels(deployment)['app.kubernetes.io/component'] ?? '';
}

/** Every dns:///name:port in a service's ConfigMap names a Service with that port. */
function addressProblems(deployment: V1Deployment, objects: Manifest[]): string[] {
  const config = ofKind(objects, 'ConfigMap').find(({ metadata }) => metadata?.name === deployment.metadata?.name);
  return Object.entries(config?.data ?? {}).flatMap(([variable, value]) => {
    const [, name, port] = /^dns:\/\/\/([^:]+):(\d+)$/.exec(value) ?? [];
    if (!variable.endsWith('_ADDRESS')) return [];
    const target = ofKind(objects, 'Service').find(({ metadata }) => metadata?.name === name);
    return target?.spec?.ports?.some((candidate) => candidate.port === Number(port))
      ? []
      : [`${nameOf(deployment)}: ${variable}=${value} leads nowhere`];
  });
}

/** The network policies of client and server allow a connection exactly if the architecture has it. */
function callProblems(caller: V1Deployment, target: V1Deployment, expected: boolean, objects: Manifest[]): string[] {
  const policiesOf = (deployment: V1Deployment) =>
    ofKind(objects, 'NetworkPolicy').filter((policy) => selects(policy.spec?.podSelector, podLabels(deployment)));
  const out = policiesOf(caller)
    .flatMap((policy) => policy.spec?.egress ?? [])
    .some((rule) => opens(rule.ports, rule.to, podLabels(target)));
  const into = policiesOf(target)
    .flatMap((policy) => policy.spec?.ingress ?? [])
    // `from` in a manifest; the client's types call it `_from`.
    .some((rule) => opens(rule.ports, (rule as { from?: V1NetworkPolicyPeer[] }).from, podLabels(caller)));
  const way = `the way from ${serviceOf(caller)} to ${serviceOf(target)}`;
  return [
    ...(out === expected ? [] : [`${nameOf(caller)}: ${way} is ${out ? 'open' : 'closed'} where it starts`]),
    ...(into === expected ? [] : [`${nameOf(target)}: ${way} is ${into ? 'open' : 'closed'} where it ends`]),
  ];
}

/** Services that connect to addresses customers name reach the internet over https; no other service does. */
function internetProblems(deployment: V1Deployment, expected: boolean, objects: Manifest[]): string[] {
  const open = ofKind(objects, 'NetworkPolicy')
    .filter((policy) => selects(policy.spec?.podSelector, podLabels(deployment)))
    .flatMap((policy) => policy.spec?.egress ?? [])
    .some(({ ports, to }) => ports?.some(({ port }) => port === 443) && to?.some(({ ipBlock }) => ipBlock));
  return open === expected ? [] : [`${nameOf(deployment)}: the way to the internet is ${open ? 'open' : 'closed'}`];
}

function opens(
  ports: V1NetworkPolicyPort[] | undefined,
  peers: V1NetworkPolicyPeer[] | undefined,
  labels: Record<string, string>,
): boolean {
  const portMatches = !ports || ports.some(({ port }) => port === grpcPort || port === undefined);
  const peerMatches =
    !peers || peers.some((peer) => peer.podSelector && !peer.namespaceSelector && selects(peer.podSelector, labels));
  return portMatches && peerMatches;
}
