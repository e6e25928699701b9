import type { V1Container } from '@kubernetes/client-node';
import { describe, expect } from '@jest/globals';
import { type Manifest, ofKind } from './manifest.ts';
import { problemsOf } from './problems.ts';
import { isOutsideSecret, itWithHelm, render, root, reportSkippedChecks } from './rendered-chart.ts';
import { readServiceFacts } from './service-facts.ts';

reportSkippedChecks('that each rule finds a chart that breaks it');

// The client's types name what a manifest may hold; these tests put in what it may not.
// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any;

const find = (objects: Manifest[], kind: string, name: string): Loose =>
  objects.find((object) => object.kind === kind && object.metadata.name === name);
const pod = (objects: Manifest[]): Loose => find(objects, 'Deployment', 'phone-directory').spec.template.spec;
const container = (objects: Manifest[]): Loose => pod(objects).containers[0];
const remove = (objects: Manifest[], kind: string, name: string) =>
  objects.splice(objects.indexOf(find(objects, kind, name)), 1);

/** One thing broken in a chart that is otherwise sound, and how the problem is put. */
const broken: [what: string, breakIt: (objects: Manifest[]) => unknown, problem: RegExp][] = [
  ['an unknown field', (o) => (container(o).ports[0].containerPrt = 1), /ports\[0\]\.containerPrt: no such field/],
  [
    'a text for a number',
    (o) => (find(o, 'HorizontalPodAutoscaler', 'phone-speech').spec.minReplicas = '2'),
    /minReplicas: "2" is not number/,
  ],
  ['a missing field', (o) => delete find(o, 'Deployment', 'phone-speech').spec.selector, /selector/],
  [
    'an unknown kind',
    (o) => o.push({ apiVersion: 'v1', kind: 'Pood', metadata: { name: 'x' } }),
    /no model for v1 Pood/,
  ],
  ['an object twice', (o) => o.push(find(o, 'Service', 'phone-speech')), /Service phone-speech: rendered twice/],
  ['a root user', (o) => (pod(o).securityContext.runAsNonRoot = false), /phone-directory: runs as non-root/],
  [
    'a writable file system',
    (o) => delete container(o).securityContext.readOnlyRootFilesystem,
    /read-only root file system/,
  ],
  ['a capability', (o) => (container(o).securityContext.capabilities.add = ['NET_RAW']), /no capabilities/],
  ['no limits', (o) => delete container(o).resources.limits, /limited in memory/],
  ['no readiness probe', (o) => delete container(o).readinessProbe, /three probes/],
  ['a probe of a port that is not there', (o) => (container(o).livenessProbe.httpGet.port = 'helth'), /three probes/],
  ['no time to finish', (o) => (pod(o).terminationGracePeriodSeconds = 10), /10 s to finish/],
  ['a moving image tag', (o) => (container(o).image = 'parley/directory:latest'), /immutable tag/],
  ['a token of the Kubernetes API', (o) => delete pod(o).automountServiceAccountToken, /no token/],
  [
    'a variable without its key',
    (o) => delete find(o, 'Secret', 'phone-directory').data.ENCRYPTION_KEY,
    /phone-directory has no key ENCRYPTION_KEY/,
  ],
  [
    'a ConfigMap that is not there',
    (o) => remove(o, 'ConfigMap', 'phone-trusted-keys'),
    /ConfigMap phone-trusted-keys has no key TRUSTED_KEYS/,
  ],
  ['a volume without its Secret', (o) => (pod(o).volumes[1].secret.secretName = 'lost'), /Secret lost/],
  [
    'no service account',
    (o) => remove(o, 'ServiceAccount', 'phone-directory'),
    /ServiceAccount phone-directory does not exist/,
  ],
  [
    'no disruption budget',
    (o) => remove(o, 'PodDisruptionBudget', 'phone-directory'),
    /phone-directory: has 0 disruption budgets/,
  ],
  [
    'no network policy',
    (o) => remove(o, 'NetworkPolicy', 'phone-directory'),
    /phone-directory: does not have default-deny/,
  ],
  ['no default-deny', (o) => remove(o, 'NetworkPolicy', 'phone-default-deny'), /does not have default-deny/],
  [
    'a Service to nowhere',
    (o) => (find(o, 'Service', 'phone-speech').spec.selector['app.kubernetes.io/component'] = 'x'),
    /phone-speech: leads to 0/,
  ],
  [
    'a public Service',
    (o) => (find(o, 'Service', 'phone-gateway').spec.type = 'LoadBalancer'),
    /reachable from outside/,
  ],
  [
    'the operator API in an Ingress',
    (o) => {
      const { service } = find(o, 'Ingress', 'phone-gateway').spec.rules[0].http.paths[0].backend;
      Object.assign(service, { name: 'phone-gateway-operator', port: { number: 8081 } });
    },
    /exposes the port operator/,
  ],
  [
    'the operator port behind the public name',
    (o) => (find(o, 'Service', 'phone-gateway').spec.ports[0].targetPort = 'operator'),
    /exposes the port operator/,
  ],
  [
    'a setting that is not given',
    (o) => delete find(o, 'ConfigMap', 'phone-directory').data.GRPC_LISTEN,
    /is not given GRPC_LISTEN/,
  ],
  [
    'an address of an unknown service',
    (o) => (find(o, 'ConfigMap', 'phone-directory').data.NUMBERS_ROUTING_ADDRESS = 'dns:///numbers-routing:50051'),
    /NUMBERS_ROUTING_ADDRESS=dns:\/\/\/numbers-routing:50051 leads nowhere/,
  ],
  [
    'a call that the caller may not make',
    (o) => find(o, 'NetworkPolicy', 'phone-identity').spec.egress.splice(1, 1),
    /way from identity to directory is closed where it starts/,
  ],
  [
    'a closed way to connected systems',
    (o) => {
      const { spec } = find(o, 'NetworkPolicy', 'phone-directory');
      spec.egress = spec.egress.filter(({ ports }: { ports: { port: number }[] }) => ports[0]?.port !== 443);
    },
    /phone-directory: the way to the internet is closed/,
  ],
  [
    'a way in that the architecture does not have',
    (o) => find(o, 'NetworkPolicy', 'phone-webhooks').spec.ingress[0].from.push({ podSelector: {} }),
    /way from speech to webhooks is open where it ends/,
  ],
];

describe('the manifest check', () => {
  for (const [what, breakIt, problem] of broken) {
    itWithHelm(`the manifest check finds ${what}`, async () => {
      const objects = structuredClone(await sound());
      breakIt(objects);
      const problems = await problemsOf(objects, facts, isOutsideSecret('everything.yaml'));
      expect(problems.join('\n')).toMatch(problem);
    });
  }

  itWithHelm('the manifest check looks at every container of the release', async () => {
    const containers: V1Container[] = ofKind(await sound(), 'Deployment').flatMap(
      (deployment) => deployment.spec?.template.spec?.containers ?? [],
    );
    expect(containers.map(({ name }) => name).toSorted()).toEqual(Object.keys(facts).toSorted());
  });
});

const facts = readServiceFacts(root);
let rendering: Promise<Manifest[]> | undefined;
function sound(): Promise<Manifest[]> {
  return (rendering ??= render('everything.yaml'));
}
