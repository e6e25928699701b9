import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { LoggedEventSchema } from '@parley/proto/webhooks/v1/event_log_pb';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers/peers.ts';
import { eventWriter } from './event-json.ts';

const reader = { companyId: 'com_1', credentialId: 'key_1' } as EmployeePrincipal;
const AT = '2026-03-01T12:00:00.000Z';
const logged = (id: string, data: object) =>
  create(LoggedEventSchema, { id, body: JSON.stringify({ event: 'call.ended', timestamp: AT, data }) });
const address = (name: string) => `https://phone.example/media/recordings/${name}?expires=1&for=webhook&sig=x`;

/** A writer for which only `kept` recordings are there, and what it asked for. */
function start(kept: readonly string[]) {
  const asked: string[][] = [];
  const recordingAddresses = {
    async signRecordings({ names }: { names: string[] }, { as }: { as: EmployeePrincipal }) {
      asked.push(names);
      const url = (name: string) => `signed ${name} for ${as.credentialId}`;
      return { recordings: names.filter((name) => kept.includes(name)).map((name) => ({ name, url: url(name) })) };
    },
  };
  const write = eventWriter({ recordingAddresses } as unknown as Pick<Clients, 'recordingAddresses'>);
  return {
    asked,
    write: async (...events: ReturnType<typeof logged>[]) =>
      (await write(reader, events)).map((text) => JSON.parse(text)),
  };
}

describe('an event of the log', () => {
  it('an event of the log has its id and the body as it was recorded', async () => {
    const { asked, write } = start([]);
    const data = { recording_url: null, note: '"recording_url":"https://x/media/recordings/a?"' };
    expect(await write(logged('evt_1', data))).toEqual([{ id: 'evt_1', event: 'call.ended', timestamp: AT, data }]);
    expect(asked).toEqual([]);
  });

  it('an event of the log has the address of its recording for the reader, and none once it is gone', async () => {
    const { asked, write } = start(['cal_1-1']);
    const of = (id: string, name: string) => logged(id, { id, recording_url: address(name), state: 'ended' });
    expect(
      await write(of('evt_1', 'cal_1-1'), logged('evt_2', {}), of('evt_3', 'cal_2-1'), of('evt_4', 'cal_1-1')),
    ).toMatchObject([
      { data: { id: 'evt_1', recording_url: 'signed cal_1-1 for key_1', state: 'ended' } },
      { data: {} },
      { data: { recording_url: null } },
      { data: { recording_url: 'signed cal_1-1 for key_1' } },
    ]);
    expect(asked).toEqual([['cal_1-1', 'cal_2-1']]);
  });
});
