import { beforeEach, describe, expect, it } from '@jest/globals';
import type { EmployeePrincipal } from '@parley/rpc';
import { asEmployee } from '@parley/testkit/service';
import { cacheVerifications } from './verified-credentials.ts';

const { as: ane } = asEmployee('com_1', 'emp_1', 'key_1');

let verified: string[];
let known: Record<string, EmployeePrincipal>;
let time: number;
const remember = () =>
  cacheVerifications(
    async (credential) => {
      verified.push(credential);
      return known[credential];
    },
    () => time,
  );

beforeEach(() => {
  verified = [];
  known = { pk_ane: ane };
  time = 1;
});

describe('a verified credential', () => {
  it('a verified credential is verified once for concurrent requests', async () => {
    const credentials = remember();
    const answers = await Promise.all(Array.from({ length: 20 }, () => credentials.verify('pk_ane')));
    expect([verified, new Set(answers)]).toEqual([['pk_ane'], new Set([ane])]);
  });

  it('a verified credential is cached for less than a second', async () => {
    const credentials = remember();
    await credentials.verify('pk_ane');
    known = {};
    time = 1000;
    expect(await credentials.verify('pk_ane')).toEqual(ane);
    time = 1002;
    expect(await credentials.verify('pk_ane')).toBeUndefined();
  });

  it.each([
    ['it', { credentialId: 'key_1', employeeId: 'emp_1' }],
    ['everything its employee has', { credentialId: '', employeeId: 'emp_1' }],
  ])('a verified credential is dropped immediately when %s is revoked', async (_what, revoked) => {
    const credentials = remember();
    await credentials.verify('pk_ane');
    known = {};
    credentials.evict(revoked);
    await Promise.resolve();
    expect(await credentials.verify('pk_ane')).toBeUndefined();
  });

  it('a verified credential stays when another is revoked', async () => {
    const credentials = remember();
    await credentials.verify('pk_ane');
    credentials.evict({ credentialId: 'key_2', employeeId: 'emp_1' });
    await Promise.resolve();
    await credentials.verify('pk_ane');
    expect(verified).toEqual(['pk_ane']);
  });

  it('a verified credential that does not exist is verified once a second', async () => {
    const credentials = remember();
    expect([await credentials.verify('pk_x'), await credentials.verify('pk_x')]).toEqual([undefined, undefined]);
    expect(verified).toEqual(['pk_x']);
    time = 1002;
    await credentials.verify('pk_x');
    expect(verified).toEqual(['pk_x', 'pk_x']);
  });

  it('a verified credential that is dropped during its verification causes no error when the verification fails', async () => {
    const answers: PromiseWithResolvers<EmployeePrincipal | undefined>[] = [];
    const credentials = cacheVerifications(() => {
      const answer = Promise.withResolvers<EmployeePrincipal | undefined>();
      answers.push(answer);
      return answer.promise;
    });
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    const first = credentials.verify('pk_ane');
    credentials.evict({ credentialId: 'key_1', employeeId: 'emp_1' });
    answers[0]?.reject(new Error('identity is away'));
    await expect(first).rejects.toThrow('identity is away');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  it('a verified credential whose verification began before a revocation is verified again', async () => {
    const answers: PromiseWithResolvers<EmployeePrincipal | undefined>[] = [];
    const credentials = cacheVerifications(() => {
      const answer = Promise.withResolvers<EmployeePrincipal | undefined>();
      answers.push(answer);
      return answer.promise;
    });
    const before = credentials.verify('pk_ane');
    credentials.evict({ credentialId: 'key_1', employeeId: 'emp_1' });
    const after = credentials.verify('pk_ane');
    answers[0]?.resolve(ane);
    answers[1]?.resolve(undefined);
    expect([await before, await after]).toEqual([ane, undefined]);
    expect(await credentials.verify('pk_ane')).toBeUndefined();
    expect(answers).toHaveLength(2);
  });

  it('a verified credential is known once it was right, and no longer once it is wrong', async () => {
    const credentials = remember();
    expect(credentials.isKnown('pk_ane')).toBe(false);
    await credentials.verify('pk_ane');
    time = 100_000;
    expect(credentials.isKnown('pk_ane')).toBe(true);
    known = {};
    await credentials.verify('pk_ane');
    time = 200_000;
    expect(credentials.isKnown('pk_ane')).toBe(false);
  });

  it('a verified credential is verified again after identity failed', async () => {
    let fails = true;
    const credentials = cacheVerifications(async () => {
      if (fails) throw new Error('away');
      return ane;
    });
    await expect(credentials.verify('pk_ane')).rejects.toThrow('away');
    fails = false;
    expect(await credentials.verify('pk_ane')).toEqual(ane);
  });
});
