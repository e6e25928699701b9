import { createPrivateKey, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { newSecrets } from '../../../images/new-secrets.ts';
import { composeEnv, kubernetesSecrets } from '../../../images/secret-formats.ts';
import { parseManifests } from './manifest.ts';
import { modelProblems } from './model-problems.ts';
import { readServiceFacts } from './service-facts.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const facts = readServiceFacts(root);
const namesIn = (env: string) => new Set([...env.matchAll(/^(\w+)=/gm)].map(([, name]) => name ?? ''));

describe('fresh secrets', () => {
  const secrets = newSecrets();

  it('fresh secrets are for exactly the services that need them', () => {
    const those = (has: (name: string) => boolean | undefined) => Object.keys(facts).filter(has).toSorted();
    expect(Object.keys(secrets.signingKeys).toSorted()).toEqual(those((name) => facts[name]?.rpc));
    expect(Object.keys(secrets.encryptionKeys).toSorted()).toEqual(those((name) => facts[name]?.encrypts));
    expect(Object.keys(secrets.natsPasswords).toSorted()).toEqual(those((name) => facts[name]?.nats));
    expect(Object.keys(secrets.mongodbPasswords).toSorted()).toEqual(those((name) => facts[name]?.mongodb));
  });

  it('fresh secrets fill the env file that the example describes', () => {
    expect(namesIn(composeEnv(secrets))).toEqual(
      namesIn(readFileSync(path.join(root, 'deploy/images/compose.env.example'), 'utf8')),
    );
  });

  it('fresh secrets have public halves that belong to the private ones', () => {
    for (const [service, key] of Object.entries(secrets.signingKeys)) {
      const privateKey = createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' });
      expect(createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64')).toBe(
        secrets.trustedKeys[service],
      );
    }
  });

  it('fresh secrets make Secrets that Kubernetes takes', async () => {
    const objects = parseManifests(kubernetesSecrets(secrets, 'phone'));
    expect((await Promise.all(objects.map(modelProblems))).flat()).toEqual([]);
    expect(objects).toHaveLength(Object.keys(secrets.signingKeys).length);
  });
});
