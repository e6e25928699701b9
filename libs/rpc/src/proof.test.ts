import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, it } from '@jest/globals';
import { ada, keys, trustedKeys } from '../test/start-echo.ts';
import { newKeyPair } from './key-pair.ts';
import type { Principal } from './principal.ts';
import { createProver, createVerifier } from './proof.ts';

let now = Date.parse('2026-03-01T12:00:00Z');
const clock = { now: () => new Date(now) };

const AUDIENCE = 'parley.directory.v1';

describe('a proof', () => {
  it.each<Principal>([ada, { kind: 'operator' }])('a proof of the gateway is accepted for $kind', async (principal) => {
    const proof = await createProver('gateway', keys.gateway.privateKey, clock).prove(principal, AUDIENCE);
    expect(await createVerifier(trustedKeys, clock)(proof, AUDIENCE)).toEqual(principal);
  });

  it('a proof of any service is accepted for itself', async () => {
    const prover = createProver('directory', keys.directory.privateKey, clock);
    expect(prover.self).toEqual({ kind: 'service', name: 'directory' });
    expect(await createVerifier(trustedKeys, clock)(await prover.prove(prover.self, AUDIENCE), AUDIENCE)).toEqual(
      prover.self,
    );
  });

  it('a proof is cached during its lifetime', async () => {
    const verify = createVerifier(trustedKeys, clock);
    const proof = await createProver('gateway', keys.gateway.privateKey, clock).prove(ada, AUDIENCE);
    expect(await verify(proof, AUDIENCE)).toBe(await verify(proof, AUDIENCE));
  });

  it('a proof is used again for half of its lifetime, for the same principal only', async () => {
    const prover = createProver('gateway', keys.gateway.privateKey, clock);
    const first = await prover.prove(ada, AUDIENCE);
    now += 29_000;
    expect(await prover.prove({ ...ada }, AUDIENCE)).toBe(first);
    for (const other of [{ companyId: 'com_2' }, { employeeId: 'emp_2' }, { credentialId: 'key_2' }])
      expect(await prover.prove({ ...ada, ...other }, AUDIENCE)).not.toBe(first);
    now += 2000;
    expect(await prover.prove(ada, AUDIENCE)).not.toBe(first);
  });
});

describe('a proof is refused', () => {
  const seconds = () => Math.floor(now / 1000);
  const sign = (
    issuer: string,
    key: string,
    { principal = ada as unknown, audience = AUDIENCE, issuedAt = seconds(), expiresAt = seconds() + 60 } = {},
  ) =>
    new SignJWT({ principal })
      .setProtectedHeader({ alg: 'EdDSA' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .sign(privateKeyOf(key));
  const byGateway = (changes: object) => sign('gateway', keys.gateway.privateKey, changes);

  it('a proof that nothing is wrong with is accepted', async () => {
    expect(await createVerifier(trustedKeys, clock)(await byGateway({}), AUDIENCE)).toEqual(ada);
  });

  it('a proof is refused when it has expired, also if it was accepted before', async () => {
    const verify = createVerifier(trustedKeys, clock);
    const proof = await createProver('gateway', keys.gateway.privateKey, clock).prove(ada, AUDIENCE);
    await verify(proof, AUDIENCE);
    now += 70_000;
    await expect(verify(proof, AUDIENCE)).rejects.toThrow();
  });

  it.each([
    ['an unknown service', () => sign('unknown', newKeyPair().privateKey)],
    ['a known service, signed with another key', () => sign('gateway', newKeyPair().privateKey)],
    ['a service that claims an employee', () => sign('directory', keys.directory.privateKey)],
    [
      'a service that claims the operator',
      () => sign('directory', keys.directory.privateKey, { principal: { kind: 'operator' } }),
    ],
    [
      'a service that claims to be another',
      () => sign('directory', keys.directory.privateKey, { principal: { kind: 'service', name: 'gateway' } }),
    ],
    ['nobody', () => byGateway({ principal: null })],
    ['the gateway for another system', () => byGateway({ audience: 'elsewhere' })],
    [
      'the gateway for longer than the lifetime of proofs',
      () => byGateway({ issuedAt: seconds() - 120, expiresAt: seconds() + 900 }),
    ],
    ['the gateway of tomorrow', () => byGateway({ issuedAt: seconds() + 3600, expiresAt: seconds() + 3660 })],
    ['a name from the prototype', () => sign('constructor', newKeyPair().privateKey)],
  ])('a proof is refused when it is of %s', async (_, make) => {
    await expect(createVerifier(trustedKeys, clock)(await make(), AUDIENCE)).rejects.toThrow();
  });

  it.each(['', 'x', 'a.b.c', '..', `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`])(
    'a proof is refused when it is nonsense: %j',
    async (proof) => {
      await expect(createVerifier(trustedKeys, clock)(proof, AUDIENCE)).rejects.toThrow();
    },
  );

  it('a proof is refused by a service it was not made for, also where it was valid before', async () => {
    const verify = createVerifier(trustedKeys, clock);
    const proof = await createProver('gateway', keys.gateway.privateKey, clock).prove(ada, AUDIENCE);
    expect(await verify(proof, AUDIENCE)).toEqual(ada);
    await expect(verify(proof, 'parley.identity.v1')).rejects.toThrow();
  });

  it('a proof is refused when its signature is taken away', async () => {
    const proof = await createProver('gateway', keys.gateway.privateKey, clock).prove(ada, AUDIENCE);
    const [, claims] = proof.split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    await expect(createVerifier(trustedKeys, clock)(`${none}.${claims}.`, AUDIENCE)).rejects.toThrow();
  });
});

it('proofs of the old and the new key are accepted during a key rotation', async () => {
  const next = newKeyPair();
  const verify = createVerifier({ ...trustedKeys, gateway: [trustedKeys.gateway, next.publicKey] }, clock);
  for (const { privateKey } of [keys.gateway, next]) {
    const proof = await createProver('gateway', privateKey, clock).prove(ada, AUDIENCE);
    expect(await verify(proof, AUDIENCE)).toEqual(ada);
  }
});

function privateKeyOf(base64: string) {
  return createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' });
}
