import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { natsServices } from '@parley/events';
import { describe, expect, it } from '@jest/globals';
import { findNatsServer } from '../../../libs/embedded/src/nats/nats-binary.ts';
import { readServiceFacts } from './manifests/service-facts.ts';
import { natsConfigurationFiles, natsPasswordVariable } from './nats-configuration.ts';
import { root } from './root.ts';

describe('the configuration of NATS', () => {
  it.each(Object.entries(natsConfigurationFiles()))(
    'the configuration of NATS in %s equals the table of permissions',
    (file, expected) => {
      expect(readFileSync(path.join(root, file), 'utf8')).toBe(expected);
    },
  );

  it.each(['nats.conf', 'nats-sandbox.conf'])(
    'the configuration of NATS in %s is accepted by nats-server',
    async (file) => {
      const passwords = Object.fromEntries(natsServices.map((service) => [natsPasswordVariable(service), 'secret']));
      const args = ['-t', '--config', path.join(root, 'deploy/images', file)];
      const checked = await promisify(execFile)(await findNatsServer(), args, {
        env: { ...process.env, ...passwords },
      });
      expect(checked.stderr).toContain('is valid');
    },
  );

  it('the configuration of NATS has a user for exactly the services that use it', () => {
    const facts = readServiceFacts(root);
    const using = Object.keys(facts).filter((service) => facts[service]?.nats);
    expect([...natsServices].toSorted()).toEqual(using.toSorted());
  });
});
