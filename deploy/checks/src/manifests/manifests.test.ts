import { createPrivateKey, createPublicKey } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { describe, expect } from '@jest/globals';
import { ofKind } from './manifest.ts';
import { problemsOf } from './problems.ts';
import {
  casesDir,
  chart,
  helm,
  isOutsideSecret,
  itWithHelm,
  render,
  root,
  tellWhatIsLeftOut,
  valuesOf,
} from './rendered-chart.ts';
import { readServiceFacts } from './service-facts.ts';

const cases = ['values.yaml', ...readdirSync(casesDir)];
const facts = readServiceFacts(root);
tellWhatIsLeftOut(`helm lint, helm template and every check of what they render (${cases.join(', ')})`);

describe.each(cases)('the chart with %s', (name) => {
  itWithHelm('passes helm lint --strict', async () => {
    const answer = await helm('lint', chart, '--strict', '--kube-version', '1.36.0', ...valuesOf(name));
    expect(answer).toMatchObject({ ok: true, stdout: expect.stringContaining('0 chart(s) failed') });
  });

  itWithHelm('renders only what Kubernetes knows and our own rules allow', async () => {
    const objects = await render(name);
    expect(await problemsOf(objects, facts, isOutsideSecret(name))).toEqual([]);
    expect(objects.length).toBeGreaterThan(50);
  });
});

describe('the rendered services', () => {
  itWithHelm('are all nine when the sandbox is wanted, and all but it by default', async () => {
    const servicesOf = async (name: string) =>
      ofKind(await render(name), 'Deployment')
        .map((deployment) => deployment.metadata?.name)
        .toSorted();
    const all = Object.keys(facts).map((service) => `parley-${service}`);
    expect(await servicesOf('sandbox.yaml')).toEqual(all.toSorted());
    expect(await servicesOf('values.yaml')).toEqual(all.filter((name) => name !== 'parley-sandbox').toSorted());
  });

  itWithHelm('believe exactly the public halves of the signing keys that were made for them', async () => {
    const objects = await render('values.yaml');
    const trusted = JSON.parse(
      ofKind(objects, 'ConfigMap').find(({ data }) => data?.TRUSTED_KEYS)?.data?.TRUSTED_KEYS ?? '{}',
    );
    const derived = ofKind(objects, 'Secret').map(({ metadata, data }) => {
      const signingKey = Buffer.from(Buffer.from(data?.SIGNING_KEY ?? '', 'base64').toString(), 'base64');
      const publicKey = createPublicKey(createPrivateKey({ key: signingKey, format: 'der', type: 'pkcs8' }));
      return [
        metadata?.labels?.['app.kubernetes.io/component'],
        publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
      ];
    });
    expect(trusted).toEqual(Object.fromEntries(derived));
    expect(Object.keys(trusted).toSorted()).toEqual(
      Object.keys(facts)
        .filter((service) => facts[service]?.rpc && service !== 'sandbox')
        .toSorted(),
    );
  });

  itWithHelm('have databases of their own and encryption keys of 32 bytes', async () => {
    const objects = await render('values.yaml');
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
    'receive the public port from the internet only through the ingress, and the operator port never',
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

describe('values that make no sense', () => {
  const refused: [string, string[], RegExp][] = [
    ['a misspelt setting', ['--set', 'services.identity.replcas=3'], /replcas/],
    ['a setting of the wrong type', ['--set-string', 'defaults.replicas=many'], /replicas/],
    ['two sandboxes', ['--set', 'services.sandbox.enabled=true,services.sandbox.replicas=2'], /sandbox\/replicas/],
    ['an ingress without a host', ['--set', 'ingress.enabled=true'], /ingress\.hosts/],
    [
      'an own Secret whose public key nobody knows',
      ['--set', 'services.speech.existingSecret=own'],
      /trustedKeys\.speech/,
    ],
    ['creds for NATS that nobody gave', ['--set', 'nats.auth=creds'], /NATS_CREDS/],
    [
      'a public address with a path',
      ['--set', 'services.gateway.publicUrl=https://phone.example.com/api'],
      /publicUrl/,
    ],
  ];
  for (const [what, args, message] of refused) {
    itWithHelm(`are refused by name: ${what}`, async () => {
      const answer = await helm('template', 'parley', chart, ...args);
      expect(answer.ok).toBe(false);
      expect(answer.stderr).toMatch(message);
    });
  }
});
