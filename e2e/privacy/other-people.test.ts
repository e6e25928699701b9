import { buffer } from 'node:stream/consumers';
import { beforeAll, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { fromBufferPromise } from 'yauzl';
import { type Employee, LIMIT_MS, openPhoneCompany, type PhoneCompany } from '../calls/phone-company.ts';
import { operate, succeeded } from '../support/api.ts';
import { placesWith } from '../support/stored-bytes.ts';

const digits = (count: number) => Array.from({ length: count }, () => Math.floor(Math.random() * 10)).join('');
/** Unique on the stack. */
const CALLER = `+4520${digits(6)}`;
const TARGET = `+4521${digits(6)}`;
const SENDER = `Shop${digits(6)}`;
const SHORT_CODE = `1${digits(5)}`;

let fixture: PhoneCompany;
let ada: Employee;
let number: string;

beforeAll(async () => {
  fixture = await openPhoneCompany();
  const { company, stack } = fixture;
  await succeeded(operate(stack, 'PATCH', `/companies/${company.id}`, { messaging_enabled: true }));
  ada = await fixture.hire('Ada', true);
  number = await fixture.number({ type: 'TransferConfig', employee_ids: [ada.id] });
}, 3 * LIMIT_MS);

async function erased(phoneNumber: string) {
  const { company } = fixture;
  const requested = await company.call('POST', '/privacy/erasures', { phone_number: phoneNumber });
  expect(requested).toMatchObject({ status: 202, body: { phone_number: phoneNumber } });
  return waitUntil(
    async () => {
      const { body } = await company.call('GET', `/privacy/erasures/${requested.body.id}`);
      return body.state === 'done' && body;
    },
    { what: 'the end of the erasure', timeoutMs: LIMIT_MS },
  );
}

/** A file of JSON in the export of a person. */
async function exported(phoneNumber: string, file: string): Promise<any> {
  const { body } = await succeeded(fixture.company.call('POST', '/privacy/exports', { phone_number: phoneNumber }));
  const zip = await fromBufferPromise(Buffer.from(await (await fetch(body.url)).arrayBuffer()));
  for await (const entry of zip.eachEntry())
    if (entry.fileName === file) return JSON.parse(`${await buffer(await zip.openReadStreamPromise(entry))}`);
  throw new Error(`there is no ${file}`);
}

// The databases of other engines are not in the directory of the stack.
const isEmbedded = process.env['PARLEY_TEST_ENGINES'] !== 'containers';
const places = async (text: string) => (isEmbedded ? placesWith(text) : []);

it(
  'somebody to whom a call was transferred is exported and erased, and the call of the other stays',
  async () => {
    const legId = await fixture.dial(number, CALLER);
    const callId = await fixture.callOf(legId);
    await fixture.answer(ada);
    await fixture.state(callId, 'bridged');
    const target = { mode: 'blind', phone_number: TARGET };
    await succeeded(ada.call('POST', `/calls/${callId}/transfers`, target));
    await fixture.over({ legId, callId });
    const timeline = async () => (await succeeded(fixture.company.call('GET', `/calls/${callId}/timeline`))).text;
    expect(await timeline()).toContain(TARGET);
    const reached = await exported(TARGET, 'forwarded_calls.json');
    expect(reached).toMatchObject([{ call_id: callId, phone_number: TARGET, events: [{ type: 'transfer' }, {}] }]);
    expect(JSON.stringify(reached)).not.toContain(CALLER);

    await erased(TARGET);
    expect(await timeline()).not.toContain(TARGET);
    expect(await fixture.call(callId)).toMatchObject({ from: CALLER, state: 'ended' });
    expect(await places(TARGET)).toEqual([]);
    await erased(CALLER);
    expect(await places(CALLER)).toEqual([]);
  },
  6 * LIMIT_MS,
);

it(
  'short codes and named senders are exported and erased as the inbox shows them, and others are refused',
  async () => {
    const { company } = fixture;
    for (const from of [SENDER, SHORT_CODE]) {
      await fixture.sandbox('POST', '/messages', { from, to: number, text: 'Your parcel is here' });
      const shown = () => company.call('GET', '/inbox');
      await waitUntil(async () => (await shown()).text.includes(from), { what: 'the thread', timeoutMs: LIMIT_MS });
      expect(await exported(from, 'texts.json')).toMatchObject([{ from, text: 'Your parcel is here' }]);
      expect((await places(from)).length > 0).toBe(isEmbedded);
      const { parts } = await erased(from);
      expect(parts).toContainEqual(expect.objectContaining({ name: 'messaging-inbox', removed: expect.any(Number) }));
      expect((await shown()).text).not.toContain(from);
      expect(await places(from)).toEqual([]);
    }
    for (const phone_number of [SENDER, 'anonymous', 'erased', ' '])
      expect((await company.call('POST', '/privacy/erasures', { phone_number })).status).toBe(422);
  },
  6 * LIMIT_MS,
);
