import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect } from '@jest/globals';
import { startClusterStub } from './cluster-stub.ts';
import { type Manifest, ofKind, parseManifests } from './manifest.ts';
import { chart, helm, itWithHelm, render, reportSkippedChecks, valuesOf } from './rendered-chart.ts';

const releasesDir = fileURLToPath(new URL('releases', import.meta.url));

reportSkippedChecks('that an upgrade keeps the secrets of the installation');

/** The chart as helm renders it against a cluster in which `objects` are installed. */
async function upgrade(objects: Manifest[], ...args: string[]): Promise<Manifest[]> {
  const cluster = await startClusterStub(objects);
  try {
    const server = [
      ...valuesOf('defaults.yaml'),
      '--dry-run=server',
      '--disable-openapi-validation',
      '--kube-apiserver',
      cluster.url,
    ];
    const answer = await helm('template', 'parley', chart, '--is-upgrade', '--namespace', 'phone', ...server, ...args);
    if (!answer.ok) throw new Error(answer.stderr);
    return parseManifests(answer.stdout);
  } finally {
    cluster.stop();
  }
}

const secretsOf = (objects: Manifest[]) =>
  Object.fromEntries(ofKind(objects, 'Secret').map(({ metadata, data }) => [metadata?.name, data]));
const trustedKeysOf = (objects: Manifest[]) =>
  ofKind(objects, 'ConfigMap').flatMap(({ data }) => data?.['TRUSTED_KEYS'] ?? []);
const podsOf = (objects: Manifest[]) => ofKind(objects, 'Deployment').map(({ spec }) => spec?.template);

describe('an upgrade', () => {
  itWithHelm('an upgrade keeps every key, token and password it finds, and so restarts nothing', async () => {
    const installed = await render('defaults.yaml');
    const upgraded = await upgrade(installed);
    expect(secretsOf(upgraded)).toEqual(secretsOf(installed));
    expect(trustedKeysOf(upgraded)).toEqual(trustedKeysOf(installed));
    expect(podsOf(upgraded)).toEqual(podsOf(installed));
  });

  itWithHelm('an upgrade makes only what is missing', async () => {
    const installed = await render('defaults.yaml');
    const lost = installed.filter(({ kind, metadata }) => kind !== 'Secret' || metadata.name !== 'parley-speech');
    const before = secretsOf(installed);
    const after = secretsOf(await upgrade(lost));
    expect(after['parley-speech']?.['SIGNING_KEY']).not.toBe(before['parley-speech']?.['SIGNING_KEY']);
    expect({ ...after, 'parley-speech': null }).toEqual({ ...before, 'parley-speech': null });
  });

  itWithHelm('an upgrade prefers the values over existing Secrets', async () => {
    const installed = await render('defaults.yaml');
    const url = 'mongodb://parley:other@elsewhere:27017/?w=majority';
    const after = secretsOf(await upgrade(installed, '--set', `mongodb.url=${url}`, '--set', 'nats.password=chosen'));
    expect(Buffer.from(after['parley-identity']?.['MONGODB_URL'] ?? '', 'base64').toString()).toBe(url);
    expect(Buffer.from(after['parley-gateway']?.['NATS_PASSWORD'] ?? '', 'base64').toString()).toBe('chosen');
  });
});

/** The objects of an earlier release that an upgrade depends on; its Secrets hold values of their kind. */
async function installedBy(version: string): Promise<Manifest[]> {
  const text = readFileSync(path.join(releasesDir, `${version}.yaml`), 'utf8');
  const values = secretsOf(await render('defaults.yaml'));
  return parseManifests(text).map((object) => {
    if (object.kind !== 'Secret') return object;
    const names = Object.keys((object['data'] as object | undefined) ?? {});
    return { ...object, data: Object.fromEntries(names.map((name) => [name, values[object.metadata.name]?.[name]])) };
  });
}

/** So that the cluster knows these kinds too. */
async function withOtherKinds(objects: Manifest[]): Promise<Manifest[]> {
  const known = new Set(objects.map(({ kind }) => kind));
  return [...objects, ...(await render('defaults.yaml')).filter(({ kind }) => !known.has(kind))];
}

describe.each(['0.2.0', '0.3.0'])('an upgrade from the chart %s', (version) => {
  itWithHelm(
    'an upgrade from an earlier chart keeps its keys and passwords and changes nothing that cannot be changed',
    async () => {
      const installed = await installedBy(version);
      const upgraded = await upgrade(await withOtherKinds(installed));
      expect(secretsOf(upgraded)).toMatchObject(
        secretsOf(installed.filter(({ metadata }) => metadata.name !== 'parley-nats-users')),
      );
      const selectorsOf = (objects: Manifest[]) =>
        Object.fromEntries(ofKind(objects, 'Deployment').map(({ metadata, spec }) => [metadata?.name, spec?.selector]));
      expect(Object.keys(selectorsOf(installed)).length).toBeGreaterThan(7);
      expect(selectorsOf(upgraded)).toMatchObject(selectorsOf(installed));
      const addressesOf = (objects: Manifest[]) =>
        Object.fromEntries(
          ofKind(objects, 'Service').map(({ metadata, spec }) => [metadata?.name, spec?.clusterIP ?? '']),
        );
      expect(addressesOf(upgraded)).toMatchObject(addressesOf(installed));
    },
  );

  itWithHelm('an upgrade from an earlier chart takes all of its values', async () => {
    const values = ['--values', path.join(releasesDir, `values-${version}.yaml`), ...valuesOf('defaults.yaml')];
    const answer = await helm('template', 'parley', chart, '--kube-version', '1.36.0', ...values);
    expect(answer).toMatchObject({ ok: true });
  });
});
