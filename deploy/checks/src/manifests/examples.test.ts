import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { findNatsServer } from '../../../../libs/embedded/src/nats/nats-binary.ts';
import { ofKind } from './manifest.ts';
import { chart, itWithHelm, render, reportSkippedChecks, root } from './rendered-chart.ts';
import { readServiceFacts } from './service-facts.ts';

reportSkippedChecks('that NATS accepts the example of its values with our users');

const example = (name: string) => readFileSync(path.join(chart, 'examples', name), 'utf8');

interface MongoUser {
  name: string;
  db: string;
  passwordSecretRef: { name: string };
  scramCredentialsSecretName: string;
  roles: { name: string; db: string }[];
}
interface ReplicaSet {
  metadata: { name: string };
  spec: { members: number; users: MongoUser[] };
}
const replicaSet = parse(example('mongodb-community.yaml')) as ReplicaSet;

describe('the example of a replica set', () => {
  it('the example of a replica set has a user per service, who may read and write its own database only', () => {
    const facts = readServiceFacts(root);
    const services = Object.keys(facts).filter((service) => facts[service]?.mongodb);
    expect(replicaSet.spec.users).toEqual(
      services.toSorted().map((service) => ({
        name: service,
        db: 'admin',
        passwordSecretRef: { name: `parley-mongodb-${service}` },
        roles: [{ name: 'readWrite', db: `parley_${service.replaceAll('-', '_')}` }],
        scramCredentialsSecretName: `parley-mongodb-${service}`,
      })),
    );
    expect(replicaSet.spec.members).toBe(3);
  });

  it('the example of a replica set has the members, the services and the databases that the README of the chart names', () => {
    const readme = readFileSync(path.join(chart, 'README.md'), 'utf8');
    const { name } = replicaSet.metadata;
    for (const member of [0, 1, 2]) expect(readme).toContain(`${name}-${member}.${name}-svc`);
    expect(readme).toContain(`replicaSet=${name}&`);
    expect(readme).toContain(`for service in ${replicaSet.spec.users.map((user) => user.name).join(' ')}; do`);
  });
});

describe('the example of NATS', () => {
  const rendered = readFileSync(fileURLToPath(new URL('nats-chart.conf', import.meta.url)), 'utf8');

  it('the example of NATS has three servers that write to the disk before they acknowledge', () => {
    const { config } = parse(example('nats-values.yaml')) as {
      config: { cluster: { replicas: number }; jetstream: { merge: { sync_interval: string } } };
    };
    expect(config.cluster.replicas).toBe(3);
    expect(rendered.match(/nats:\/\/nats-\d\.nats-headless/g)).toHaveLength(3);
    expect(config.jetstream.merge.sync_interval).toBe('always');
    expect(rendered).toContain('"sync_interval": "always"');
  });

  itWithHelm(
    'the example of NATS is a configuration that nats-server accepts with the users of the chart',
    async () => {
      const [users] = ofKind(await render('defaults.yaml'), 'Secret').flatMap(
        ({ stringData }) => stringData?.['users.conf'] ?? [],
      );
      const folder = await mkdtemp(path.join(tmpdir(), 'parley-nats-'));
      try {
        await mkdir(path.join(folder, 'nats-config'));
        await mkdir(path.join(folder, 'nats-users'));
        await writeFile(path.join(folder, 'nats-config/nats.conf'), rendered);
        await writeFile(path.join(folder, 'nats-users/users.conf'), users ?? '');
        const checked = await promisify(execFile)(
          await findNatsServer(),
          ['-t', '-c', path.join(folder, 'nats-config/nats.conf')],
          { env: { SERVER_NAME: 'nats-0' } },
        );
        expect(checked.stderr).toContain('is valid');
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  );
});
