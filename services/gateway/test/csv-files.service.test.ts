import { setImmediate } from 'node:timers/promises';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Role } from '@parley/proto/directory/v1/employees_pb';
import { waitUntil } from '@parley/testkit';
import { ane, ANES_KEY, startGateway, type TestGateway } from './start-gateway.ts';

const MEMBERS_KEY = 'pk_member';
const CHUNK = 50;
const AT = timestampFromDate(new Date('2030-01-02T03:04:05Z'));

let gateway: TestGateway;
/** How much there is. */
const source = { chunks: 20, note: 'A note' };
/** What was read of it. */
const reading = { chunks: 0, isOver: false };
beforeAll(async () => {
  gateway = await startGateway({
    async *listContacts() {
      Object.assign(reading, { chunks: 0, isOver: false });
      try {
        for (; reading.chunks < source.chunks; reading.chunks++) {
          yield { contacts: Array.from({ length: CHUNK }, (_, index) => contact(`con_${reading.chunks}_${index}`)) };
          await setImmediate();
        }
      } finally {
        reading.isOver = true;
      }
    },
  });
  gateway.credentials.set(MEMBERS_KEY, { ...ane, role: Role.MEMBER });
});
afterAll(() => gateway?.stop());

const contact = (id: string) => ({
  id,
  name: '=1+1',
  companyName: 'Hansen, "Ltd"',
  note: source.note,
  phone: '+4520304050',
  phoneFormatted: '+45 20 30 40 50',
  createdAt: AT,
  updatedAt: AT,
});

const get = (path: string, key = ANES_KEY) => fetch(`${gateway.url}/api/v1${path}`, { headers: { 'X-Api-Key': key } });

describe('the file of contacts', () => {
  it('has a line for each, safe for spreadsheets', async () => {
    const response = await get('/contacts/export.csv');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="contacts.csv"');
    const [header, first, ...rest] = (await response.text()).split('\r\n');
    expect(header).toBe('id,name,email,phone,phone_formatted,company_name,note,created_at,updated_at');
    expect(first).toBe(
      `con_0_0,'=1+1,,+4520304050,+45 20 30 40 50,"Hansen, ""Ltd""",A note,2030-01-02T03:04:05.000Z,2030-01-02T03:04:05.000Z`,
    );
    expect(rest).toHaveLength(source.chunks * CHUNK);
    expect(rest.at(-1)).toBe('');
  });

  it('is read no further than its reader reads', async () => {
    // Far more than what is on the way between the services.
    Object.assign(source, { chunks: 2000, note: 'x'.repeat(1000) });
    const response = await get('/contacts/export.csv');
    await response.body?.getReader().cancel();
    await waitUntil(() => reading.isOver, { what: 'the end of the stream' });
    expect(reading.chunks).toBeLessThan(source.chunks);
  });

  it('is for admins', async () => {
    expect((await get('/contacts/export.csv', MEMBERS_KEY)).status).toBe(403);
  });
});
