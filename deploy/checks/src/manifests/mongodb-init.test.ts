import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { readServiceFacts } from './service-facts.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const facts = readServiceFacts(root);

describe('the start of MongoDB', () => {
  const script = readFileSync(path.join(root, 'deploy/images/mongodb-init.js'), 'utf8');
  const databases = Object.keys(facts)
    .filter((service) => facts[service]?.mongodb)
    .map((service) => service.replaceAll('-', '_'));
  const passwords = Object.fromEntries(databases.map((name) => [`${name.toUpperCase()}_MONGODB_PASSWORD`, 'secret']));

  /** The API of mongosh on a fake server that records calls. */
  function shell(env: Record<string, string>) {
    const users = new Map<string, unknown>();
    const calls: string[] = [];
    let initiated = false;
    const db = {
      hello: () => ({ isWritablePrimary: initiated }),
      getSiblingDB: () => db,
      getUser: (name: string) => users.get(name) ?? null,
      createUser: ({ user, ...rest }: { user: string }) => (calls.push(`create ${user}`), users.set(user, rest)),
      updateUser: (user: string, rest: unknown) => (calls.push(`update ${user}`), users.set(user, rest)),
    };
    const rs = {
      status: () => {
        if (!initiated)
          throw Object.assign(new Error('no replset config has been received'), { codeName: 'NotYetInitialized' });
      },
      initiate: () => (calls.push('initiate'), (initiated = true)),
    };
    return {
      users,
      run: () => {
        calls.length = 0;
        vm.runInNewContext(script, { db, rs, process: { env }, sleep: () => {}, print: () => {}, Date, Error });
        return [...calls];
      },
    };
  }

  it('the start of MongoDB makes the replica set and a user for each database, and a second start changes only passwords', () => {
    const { run, users } = shell(passwords);
    expect(run()).toEqual(['initiate', ...databases.map((name) => `create ${name}`)]);
    expect(users.get('numbers_routing')).toEqual({
      pwd: 'secret',
      roles: [{ role: 'readWrite', db: 'parley_numbers_routing' }],
    });
    expect(run()).toEqual(databases.map((name) => `update ${name}`));
  });

  it('the start of MongoDB stops with the name of a password that is missing', () => {
    expect(() => shell({ ...passwords, WEBHOOKS_MONGODB_PASSWORD: '' }).run()).toThrow(
      'WEBHOOKS_MONGODB_PASSWORD is not set',
    );
  });
});
