import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { completeSecrets } from './secrets.ts';

describe('the secrets of a stack', () => {
  it('the secrets of a stack hold a key pair that signs and verifies, and a key of 32 bytes, for each service', () => {
    const { signingKey, publicKey, encryptionKey } = completeSecrets(undefined, ['identity']).services.identity!;
    const signature = sign(
      null,
      Buffer.from('hello'),
      createPrivateKey({ key: Buffer.from(signingKey, 'base64'), type: 'pkcs8', format: 'der' }),
    );
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), type: 'spki', format: 'der' });
    expect(verify(null, Buffer.from('hello'), key, signature)).toBe(true);
    expect(Buffer.from(encryptionKey, 'base64').length).toBe(32);
  });

  it('the secrets of a stack are never the same twice', () => {
    const [first, second] = [completeSecrets(undefined, ['a', 'b']), completeSecrets(undefined, ['a'])];
    expect(first.operatorToken).not.toBe(second.operatorToken);
    expect(first.services.a!.signingKey).not.toBe(first.services.b!.signingKey);
  });

  it('the secrets of a stack stay as they are when a service joins', () => {
    const before = completeSecrets(undefined, ['identity']);
    const after = completeSecrets(before, ['identity', 'speech']);
    expect(after).toMatchObject(before);
    expect(after.services.speech).toBeDefined();
  });
});
