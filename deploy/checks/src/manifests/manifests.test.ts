import { createPrivateKey, createPublicKey } from 'node:crypto';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { natsServices } from '@parley/events';
import type { V1Pod } from '@kubernetes/client-node';
import { describe, expect } from '@jest/globals';
import { findNatsServer } from '../../../../libs/embedded/src/nats/nats-binary.ts';
import { type Manifest, ofKind, parseManifests } from './manifest.ts';
import { modelProblems } from './model-problems.ts';
import { problemsOf } from './problems.ts';
import {
  casesDir,
  chart,
  helm,
  isOutsideSecret,
  itWithHelm,
  render,
  root,
  reportSkippedChecks,
  valuesOf,
} from './rendered-chart.ts';
import { readServiceFacts } from './service-facts.ts';
import { deploymentEnvironment } from './settings.ts';

const ownValues = readdirSync(path.join(chart, 'values')).map((file) => `values/${file}`);
const cases = [...readdirSync(casesDir), ...ownValues];
const facts = readServiceFacts(root);
reportSkippedChecks(`helm lint, helm template and every check of what they render (${cases.join(', ')})`);

/** The real server reads the configuration in these files, nats.conf first. */
async function expectNatsAccepts(files: Record<string, string>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-nats-'));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
    const checked = await promisify(execFile)(await findNatsServer(), ['-t', '-c', path.join(folder, 'nats.conf')]);
    expect(checked.stderr).toContain('is valid');
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe.each(cases)('the chart with %s', (name) => {
  itWithHelm('the chart passes helm lint --strict', async () => {
    const answer = await helm('lint', chart, '--strict', '--kube-version', '1.36.0', ...valuesOf(name));
    expect(answer).toMatchObject({ ok: true, stdout: expect.stringContaining('0 chart(s) failed') });
  });

  itWithHelm('the chart renders only what Kubernetes supports and our own rules allow', async () => {
    const objects = await render(name);
    expect(await problemsOf(objects, facts, isOutsideSecret(name))).toEqual([]);
    expect(objects.length).toBeGreaterThan(50);
  });
});

describe('the rendered services', () => {
  itWithHelm(
    'the rendered services are all nine when the sandbox is enabled, and all but the sandbox by default',
    async () => {
      const servicesOf = async (name: string) =>
        ofKind(await render(name), 'Deployment')
          .map((deployment) => deployment.metadata?.name)
          .toSorted();
      const all = Object.keys(facts).map((service) => `parley-${service}`);
      expect(await servicesOf('sandbox.yaml')).toEqual(all.toSorted());
      expect(await servicesOf('defaults.yaml')).toEqual(all.filter((name) => name !== 'parley-sandbox').toSorted());
    },
  );

  itWithHelm('the rendered services trust exactly the public keys of the generated signing keys', async () => {
    const objects = await render('defaults.yaml');
    const trusted = JSON.parse(
      ofKind(objects, 'ConfigMap').find(({ data }) => data?.TRUSTED_KEYS)?.data?.TRUSTED_KEYS ?? '{}',
    );
    const derived = ofKind(objects, 'Secret').flatMap(({ metadata, data }) => {
      if (!data?.SIGNING_KEY) return [];
      const signingKey = Buffer.from(Buffer.from(data.SIGNING_KEY, 'base64').toString(), 'base64');
      const publicKey = createPublicKey(createPrivateKey({ key: signingKey, format: 'der', type: 'pkcs8' }));
      const service = metadata?.labels?.['app.kubernetes.io/component'];
      return [[service, publicKey.export({ format: 'der', type: 'spki' }).toString('base64')]];
    });
    expect(trusted).toEqual(Object.fromEntries(derived));
    expect(Object.keys(trusted).toSorted()).toEqual(
      Object.keys(facts)
        .filter((service) => facts[service]?.rpc && service !== 'sandbox')
        .toSorted(),
    );
  });

  itWithHelm('the rendered services have separate databases and encryption keys of 32 bytes', async () => {
    const objects = await render('defaults.yaml');
    const databases = ofKind(objects, 'ConfigMap').flatMap(({ data }) => data?.MONGODB_DATABASE ?? []);
    const keys = ofKind(objects, 'Secret').flatMap(({ data }) =>
      data?.ENCRYPTION_KEY ? [Buffer.from(data.ENCRYPTION_KEY, 'base64').toString()] : [],
    );
    expect(new Set(databases).size).toBe(Object.values(facts).filter(({ mongodb }) => mongodb).length);
    expect(databases).toContain('parley_numbers_routing');
    expect(keys.filter((key) => Buffer.from(key, 'base64').length !== 32)).toEqual([]);
    expect(new Set(keys).size).toBe(Object.values(facts).filter(({ encrypts }) => encrypts).length);
  });

  itWithHelm(
    'the rendered services receive the public port from the internet only through the ingress, and the operator port never',
    async () => {
      const ingress = ofKind(await render('everything.yaml'), 'Ingress')[0];
      const backends = ingress?.spec?.rules?.flatMap(
        (rule) => rule.http?.paths.map((entry) => entry.backend.service) ?? [],
      );
      expect(backends).toEqual([
        { name: 'phone-gateway', port: { name: 'public' } },
        { name: 'phone-gateway', port: { name: 'public' } },
      ]);
    },
  );
});

describe('the users of NATS', () => {
  const usersOf = (objects: Manifest[]) =>
    ofKind(objects, 'Secret').find(({ metadata }) => metadata?.name === 'parley-nats-users')?.stringData?.[
      'users.conf'
    ];

  itWithHelm(
    'the users of NATS are one per service, with the password of its Secret, and NATS accepts them',
    async () => {
      const objects = await render('sandbox.yaml');
      const users = usersOf(objects) ?? '';
      for (const { metadata, data } of ofKind(objects, 'Secret').filter((secret) => secret.data?.NATS_USER)) {
        const [user, password] = [data?.NATS_USER, data?.NATS_PASSWORD].map((text) =>
          Buffer.from(text ?? '', 'base64').toString(),
        );
        expect(user).toBe(metadata?.labels?.['app.kubernetes.io/component']);
        expect(users).toContain(`{ user: "${user}", password: "${password}", permissions: { publish: [`);
      }
      expect(users.match(/user: /g)).toHaveLength(natsServices.length);
      expect(users).toContain('"parley.test-clock.set"');
      await expectNatsAccepts({ 'users.conf': users, 'nats.conf': 'authorization {\n  include users.conf\n}\n' });
    },
  );

  itWithHelm('the users of NATS may not move the clock where there is no sandbox', async () => {
    expect(usersOf(await render('defaults.yaml'))).not.toContain('test-clock');
  });

  itWithHelm('the users of NATS are a single one where the values name it', async () => {
    const given = ['--set', 'nats.user=shared,nats.password=secret'];
    const answer = await helm('template', 'parley', chart, ...valuesOf('defaults.yaml'), ...given);
    const objects = parseManifests(answer.stdout);
    expect(usersOf(objects)).toBeUndefined();
    const names = ofKind(objects, 'Secret').flatMap(({ data }) => data?.NATS_USER ?? []);
    expect(new Set(names.map((name) => Buffer.from(name, 'base64').toString()))).toEqual(new Set(['shared']));
  });
});

describe('the resources', () => {
  const readme = readFileSync(path.join(chart, 'README.md'), 'utf8');

  itWithHelm('the resources of an installation are those in the README of the chart', async () => {
    const { cores, gibibytes } = requestsOf(await render('defaults.yaml'));
    expect(readme).toContain(`**${cores} CPU cores and ${gibibytes} GiB of memory**`);
  });

  for (const name of ownValues)
    itWithHelm(`the resources of ${name} are those in the README of the chart`, async () => {
      const { cores, gibibytes } = requestsOf(await render(name));
      const row = readme.split('\n').find((line) => line.startsWith(`| \`${name}\``));
      expect(row).toContain(` ${+cores.toFixed(1)} cores, ${+gibibytes.toFixed(1)} GiB |`);
    });

  /** Of all replicas that are there at least. */
  function requestsOf(objects: Manifest[]) {
    const requests = ofKind(objects, 'Deployment').map(({ metadata, spec }) => {
      const { requests } = spec?.template.spec?.containers[0]?.resources ?? {};
      const autoscaler = ofKind(objects, 'HorizontalPodAutoscaler').find(
        (one) => one.metadata?.name === metadata?.name,
      );
      const replicas = spec?.replicas ?? autoscaler?.spec?.minReplicas ?? 0;
      return { cpu: replicas * millicores(requests?.cpu ?? ''), memory: replicas * mebibytes(requests?.memory ?? '') };
    });
    const sum = (values: number[]) => values.reduce((all, value) => all + value, 0);
    return {
      cores: sum(requests.map(({ cpu }) => cpu)) / 1000,
      gibibytes: sum(requests.map(({ memory }) => memory)) / 1024,
    };
  }

  const millicores = (text: string) => (text.endsWith('m') ? parseInt(text) : parseFloat(text) * 1000);
  const mebibytes = (text: string) => parseInt(text) * (text.endsWith('Gi') ? 1024 : 1);
});

describe('the values files of the chart', () => {
  itWithHelm('the values files of the chart say how many replicas an installation has', async () => {
    const replicasOf = async (name: string) => {
      const objects = await render(`values/${name}.yaml`);
      const autoscalers = ofKind(objects, 'HorizontalPodAutoscaler').map(({ spec }) => spec?.minReplicas);
      const fixed = ofKind(objects, 'Deployment').flatMap(({ spec }) => spec?.replicas ?? []);
      return new Set([...autoscalers, ...fixed]);
    };
    expect(await replicasOf('evaluation')).toEqual(new Set([1]));
    expect(await replicasOf('one-office')).toEqual(new Set([2]));
    expect(await replicasOf('ten-thousand-employees')).toEqual(new Set([3, 4, 6]));
  });

  itWithHelm(
    'the values file for evaluation finds the MongoDB and NATS of its example, and has their rights',
    async () => {
      const data = parseManifests(readFileSync(path.join(chart, 'examples/evaluation-data.yaml'), 'utf8'));
      expect((await Promise.all(data.map(modelProblems))).flat()).toEqual([]);
      const objects = await render('values/evaluation.yaml');
      const hosts = ofKind(data, 'Service').map(({ metadata, spec }) => `${metadata?.name}:${spec?.ports?.[0]?.port}`);
      const directory = ofKind(objects, 'Deployment').find(({ metadata }) => metadata?.name === 'parley-directory');
      const environment = directory && deploymentEnvironment(directory, objects);
      expect(hosts).toEqual([
        new URL(environment?.['NATS_URL'] ?? '').host,
        new URL(environment?.['MONGODB_URL'] ?? '').host,
      ]);
      const [config] = ofKind(data, 'ConfigMap');
      const [secret] = ofKind(objects, 'Secret').filter(({ metadata }) => metadata?.name === 'parley-nats-users');
      await expectNatsAccepts({ 'nats.conf': config?.data?.['nats.conf'] ?? '', ...secret?.stringData });
    },
  );
});

describe('the pod of helm test', () => {
  itWithHelm(
    'the pod of helm test has the same restrictions as the others and calls the gateway by its public name',
    async () => {
      const pod = (await render('everything.yaml')).find(({ kind }) => kind === 'Pod') as unknown as V1Pod;
      const [container] = pod.spec?.containers ?? [];
      expect(pod.metadata?.annotations?.['helm.sh/hook']).toBe('test');
      expect(pod.spec?.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 });
      expect(container?.securityContext).toMatchObject({
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container?.env).toEqual([
        { name: 'GATEWAY_URL', value: 'http://phone-gateway' },
        { name: 'PUBLIC_HOST', value: 'phone.example.com' },
      ]);
    },
  );
});

describe("identity's own Secret", () => {
  itWithHelm("identity's own Secret need not hold SMTP_URL: without it no e-mail is sent", async () => {
    const identity = ofKind(await render('everything.yaml'), 'Deployment').find(
      ({ metadata }) => metadata?.name === 'phone-identity',
    );
    const variables = identity?.spec?.template.spec?.containers[0]?.env ?? [];
    const optional = variables.filter(({ valueFrom }) => valueFrom?.secretKeyRef?.optional).map(({ name }) => name);
    expect(optional).toEqual(['SMTP_URL']);
  });
});

describe('values that make no sense', () => {
  const openMongo =
    /mongodb\.url needs credentials, mongodb:\/\/user:password@host.*services\.assistant\.existingSecret/;
  const refused: [string, string[], RegExp][] = [
    ['a misspelt setting', ['--set', 'services.identity.replcas=3'], /replcas/],
    ['a setting of the wrong type', ['--set-string', 'defaults.replicas=many'], /replicas/],
    ['two sandboxes', ['--set', 'services.sandbox.enabled=true,services.sandbox.replicas=2'], /sandbox\/replicas/],
    ['an ingress without a host', ['--set', 'ingress.enabled=true'], /ingress\.hosts/],
    ['a route without a Gateway', ['--set', 'gatewayApi.enabled=true'], /gatewayApi\.parentRefs/],
    [
      'scaling on lag without Prometheus',
      ['--set', 'defaults.autoscaling.enabled=true,defaults.autoscaling.lag.enabled=true'],
      /lag\.prometheusUrl/,
    ],
    ['Secrets of a store without trusted public keys', ['--set', 'externalSecrets.enabled=true'], /trustedKeys\./],
    [
      'an own Secret without a trusted public key',
      ['--set', 'services.speech.existingSecret=own'],
      /trustedKeys\.speech/,
    ],
    ['a MongoDB that lets everybody in', ['--set', 'mongodb.url=mongodb://mongodb:27017/?replicaSet=rs0'], openMongo],
    ['no MongoDB at all', ['--set', 'mongodb.url='], openMongo],
    ['missing creds for NATS', ['--set', 'nats.auth=creds'], /NATS_CREDS/],
    [
      'a public address with a path',
      ['--set', 'services.gateway.publicUrl=https://phone.example.com/api'],
      /publicUrl/,
    ],
  ];
  for (const [what, args, message] of refused) {
    itWithHelm(`values that make no sense are refused by name: ${what}`, async () => {
      const answer = await helm('template', 'parley', chart, ...valuesOf('defaults.yaml'), ...args);
      expect(answer.ok).toBe(false);
      expect(answer.stderr).toMatch(message);
    });
  }
});
