import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { recordingSigner } from './recording-file.ts';

const [old, current, foreign] = [1, 2, 3].map(() => randomBytes(32).toString('base64')) as [string, string, string];
const key = { credentialType: 'api_key', credentialId: 'key_1' } as const;
const now = new Date('2026-11-15T12:00:00Z');

function signedBy(...keys: string[]) {
  const url = new URL(recordingSigner(keys, 'https://phone.example').url('cal_1-1', key, now));
  const { searchParams: query } = url;
  return {
    name: 'cal_1-1',
    expires: Number(query.get('expires')),
    signature: query.get('sig') ?? '',
    givenTo: query.get('for') ?? '',
  };
}

it('an address stays valid while its key is replaced, and new ones are signed with the first', () => {
  const signer = recordingSigner([current, old], 'https://phone.example');
  expect(signer.verify(signedBy(old), now)).toBe(true);
  expect(signer.verify(signedBy(current, old), now)).toBe(true);
  expect(recordingSigner([current], '').verify(signedBy(current, old), now)).toBe(true);
  expect(recordingSigner([old], '').verify(signedBy(current, old), now)).toBe(false);
});

it('an address of a foreign key, of another recording or credential, or that has expired names nothing', () => {
  const signer = recordingSigner([current, old], '');
  expect(signer.verify(signedBy(foreign), now)).toBe(false);
  expect(signer.verify({ ...signedBy(current), name: 'cal_1-2' }, now)).toBe(false);
  expect(signer.verify({ ...signedBy(current), givenTo: 'api_key.key_2' }, now)).toBe(false);
  expect(signer.verify({ ...signedBy(current), givenTo: '' }, now)).toBe(false);
  expect(signer.verify(signedBy(current), new Date(now.getTime() + 3_601_000))).toBe(false);
  expect(signer.verify({ ...signedBy(current), signature: 'short' }, now)).toBe(false);
});

it('two addresses that one credential gets at the same time differ, and none is made from another', () => {
  const signer = recordingSigner([current], '');
  const [first, second] = [signedBy(current), signedBy(current)];
  expect(first).not.toEqual(second);
  expect([first, second].every((address) => signer.verify(address, now))).toBe(true);
  const bytes = (address: typeof first) => Buffer.from(address.signature, 'base64url');
  const mixed = Buffer.concat([bytes(first).subarray(0, 9), bytes(second).subarray(9)]).toString('base64url');
  expect(signer.verify({ ...first, signature: mixed }, now)).toBe(false);
  expect(first.signature.length).toBeLessThanOrEqual(44);
});
