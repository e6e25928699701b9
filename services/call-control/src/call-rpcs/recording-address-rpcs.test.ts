import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { EmployeePrincipal, RpcServer } from '@parley/rpc';
import type { Calls } from '../calls/store/call-store.ts';
import { type RecordingFile, recordingSigner } from '../recordings/recording-file.ts';
import { addRecordingAddressService } from './recording-address-rpcs.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const reader = { companyId: 'com_1', credentialType: 'api_key', credentialId: 'key_1' } as EmployeePrincipal;
const call = (n: number) => `cal_${String(n).padStart(32, '0')}`;
const recording = (name: string, more: Partial<RecordingFile> = {}) =>
  ({ name, kind: 'conversation', status: 'stored', ...more }) as RecordingFile;

it('addresses of recordings are signed for the reader, for those of the company that are not gone', async () => {
  const asked: [string, readonly string[]][] = [];
  const calls = {
    async recordingsOf(companyId: string, ids: readonly string[]) {
      asked.push([companyId, ids]);
      return [
        recording(`${call(1)}-1`),
        recording(`${call(1)}-2`),
        recording(`${call(2)}-1`, { isDeleted: true }),
        recording(`${call(3)}-1`, { status: 'missing' }),
        recording(`${call(4)}-1`, { status: 'stopped' }),
      ];
    },
  } as unknown as Calls;
  const signer = recordingSigner([randomBytes(32).toString('base64')], 'https://phone.example');
  let signRecordings: any;
  const server = { add: (_service: unknown, _callers: unknown, handlers: any) => ({ signRecordings } = handlers) };
  addRecordingAddressService(server as unknown as RpcServer, { calls, signer, clock: { now: () => NOW } });
  const names = [`${call(1)}-1`, `${call(2)}-1`, `${call(3)}-1`, `${call(4)}-1`, `${call(5)}-1`, 'nonsense'];
  const { recordings } = await signRecordings({ names }, { principal: reader });
  expect(asked).toEqual([['com_1', [1, 2, 3, 4, 5].map(call)]]);
  expect(recordings.map(({ name }: { name: string }) => name)).toEqual([`${call(1)}-1`, `${call(4)}-1`]);
  for (const { name, url } of recordings) {
    const { pathname, searchParams } = new URL(url);
    expect([pathname, searchParams.get('for')]).toEqual([`/media/recordings/${name}`, 'api_key.key_1']);
    const signed = {
      name,
      expires: Number(searchParams.get('expires')),
      givenTo: 'api_key.key_1',
      signature: searchParams.get('sig')!,
    };
    expect(signer.verify(signed, new Date(NOW.getTime() + 3_599_000))).toBe(true);
    expect(signer.verify(signed, new Date(NOW.getTime() + 3_601_000))).toBe(false);
  }
});
