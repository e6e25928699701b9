import { beforeEach, describe, expect, it } from '@jest/globals';
import type { EmployeePrincipal } from '@parley/rpc';
import { rememberCredentials } from './verified-credentials.ts';

const ane: EmployeePrincipal = { kind: 'employee', companyId: 'com_1', employeeId: 'emp_1', credentialId: 'key_1' };

let asked: string[];
let known: Record<string, EmployeePrincipal>;
let time: number;
const remember = () =>
  rememberCredentials(
    async (credential) => {
      asked.push(credential);
      return known[credential];
    },
    () => time,
  );

beforeEach(() => {
  asked = [];
  known = { pk_ane: ane };
  time = 0;
});

describe('a verified credential', () => {
  it('is asked about once by many requests at once', async () => {
    const credentials = remember();
    const answers = await Promise.all(Array.from({ length: 20 }, () => credentials.verify('pk_ane')));
    expect([asked, new Set(answers)]).toEqual([['pk_ane'], new Set([ane])]);
  });

  it('is believed for less than a second', async () => {
    const credentials = remember();
    await credentials.verify('pk_ane');
    known = {};
    time = 999;
    expect(await credentials.verify('pk_ane')).toEqual(ane);
    time = 1000;
    expect(await credentials.verify('pk_ane')).toBeUndefined();
  });

  it.each([
    ['it', { credentialId: 'key_1', employeeId: 'emp_1' }],
    ['everything its employee has', { credentialId: '', employeeId: 'emp_1' }],
  ])('is forgotten at once when %s is revoked', async (_what, revoked) => {
    const credentials = remember();
    await credentials.verify('pk_ane');
    known = {};
    credentials.forget(revoked);
    await Promise.resolve();
    expect(await credentials.verify('pk_ane')).toBeUndefined();
  });

  it('stays when another is revoked', async () => {
    const credentials = remember();
    await credentials.verify('pk_ane');
    credentials.forget({ credentialId: 'key_2', employeeId: 'emp_1' });
    await Promise.resolve();
    await credentials.verify('pk_ane');
    expect(asked).toEqual(['pk_ane']);
  });

  it('that nobody has is asked about each time', async () => {
    const credentials = remember();
    expect([await credentials.verify('pk_x'), await credentials.verify('pk_x')]).toEqual([undefined, undefined]);
    expect(asked).toEqual(['pk_x', 'pk_x']);
  });

  it('is asked about again after identity could not answer', async () => {
    let fails = true;
    const credentials = rememberCredentials(async () => {
      if (fails) throw new Error('away');
      return ane;
    });
    await expect(credentials.verify('pk_ane')).rejects.toThrow('away');
    fails = false;
    expect(await credentials.verify('pk_ane')).toEqual(ane);
  });
});
