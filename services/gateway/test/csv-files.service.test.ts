import { setImmediate } from 'node:timers/promises';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { invalid, Refused } from '@parley/errors';
import { CallOutcome, CallRecordService } from '@parley/proto/call_control/v1/call_records_pb';
import { CallDirection, CallState } from '@parley/proto/call_control/v1/calls_pb';
import { ContactService } from '@parley/proto/directory/v1/contacts_pb';
import { Role } from '@parley/proto/directory/v1/employees_pb';
import { ExportService, FileContent } from '@parley/proto/directory/v1/exports_pb';
import { ReportService } from '@parley/proto/reports/v1/reports_pb';
import { waitUntil } from '@parley/testkit';
import { fakeContract } from '@parley/testkit/service';
import { ane, ANES_KEY, startGateway, type TestGateway } from './start-gateway.ts';

const MEMBERS_KEY = 'pk_member';
const CHUNK = 50;
const AT = timestampFromDate(new Date('2030-01-02T03:04:05Z'));

let gateway: TestGateway;
/** The last request to call-control. */
let asked: object = {};
const records = fakeContract(CallRecordService, {
  async *streamCallRecords(request) {
    asked = request;
    for (let chunk = 0; chunk < 3; chunk++)
      yield { callRecords: Array.from({ length: CHUNK }, (_, index) => record(`call_${chunk}_${index}`)) };
  },
});
const periods = fakeContract(ReportService, {
  async getReportPeriod({ from }) {
    if (from === 'yesterday') throw new Refused(invalid({ from: ['is not a date'] }));
    return { from, to: '2030-01-31', beginsAt: AT, endsAt: AT };
  },
});
/** The downloads that are in the audit log. */
const recorded: object[] = [];
/** Whether directory stores them. */
const log = { isWritable: true };
const downloads = fakeContract(ExportService, {
  async recordFileDownload({ content, name, filter }) {
    if (!log.isWritable) throw new Error('the log is full');
    recorded.push({ content, name, filter });
    return {};
  },
});
/** The size of the fake export. */
const source = { chunks: 20, note: 'A note' };
/** The progress of its reader. */
const reading = { chunks: 0, isOver: false };
beforeAll(async () => {
  const contacts = {
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
  };
  const directory = [fakeContract(ContactService, contacts), downloads];
  gateway = await startGateway({}, {}, { directory, 'call-control': [records], reports: [periods] });
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

const record = (id: string) => ({
  id,
  startedAt: AT,
  answeredAt: AT,
  direction: CallDirection.INBOUND,
  from: 'erased',
  to: '+4570000000',
  mainNumberId: 'num_1',
  mainNumberName: '@Support',
  mainNumber: '+4570000000',
  employees: [
    { id: 'emp_1', name: 'Ane' },
    { id: 'emp_2', name: 'Bo "B"' },
  ],
  outcome: CallOutcome.ANSWERED,
  waitSecs: 0,
  transfers: 1,
  hasRecording: true,
});

const get = (path: string, key = ANES_KEY) => fetch(`${gateway.url}/api/v1${path}`, { headers: { 'X-Api-Key': key } });

describe('the file of contacts', () => {
  it('the file of contacts has a line for each, safe for spreadsheets', async () => {
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

  it('the file of contacts is in the audit log, or is not downloaded', async () => {
    recorded.length = 0;
    await (await get('/contacts/export.csv')).text();
    expect(recorded).toEqual([{ content: FileContent.CONTACTS, name: 'contacts.csv', filter: {} }]);
    log.isWritable = false;
    const refused = await get('/contacts/export.csv');
    log.isWritable = true;
    expect(refused.status).toBe(500);
    expect(await refused.text()).not.toContain('con_0_0');
    await waitUntil(() => reading.isOver, { what: 'the end of the stream' });
  });

  it('the file of contacts is read no further than its reader reads', async () => {
    // Far more than what is on the way between the services.
    Object.assign(source, { chunks: 2000, note: 'x'.repeat(1000) });
    const response = await get('/contacts/export.csv');
    await response.body?.getReader().cancel();
    await waitUntil(() => reading.isOver, { what: 'the end of the stream' });
    expect(reading.chunks).toBeLessThan(source.chunks);
  });

  it('the file of contacts is for admins', async () => {
    recorded.length = 0;
    expect((await get('/contacts/export.csv', MEMBERS_KEY)).status).toBe(403);
    expect(recorded).toEqual([]);
  });
});

describe('the file of calls', () => {
  it('the file of calls has a line for each, safe for spreadsheets', async () => {
    const response = await get('/calls/export.csv?from=2030-01-02');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="calls_2030-01-02_2030-01-31.csv"');
    const [header, first, ...rest] = (await response.text()).split('\r\n');
    expect(header).toBe(
      'id,started_at,answered_at,ended_at,direction,from,to,business_number_id,business_number_name,business_number,employee_ids,employee_names,outcome,wait_secs,duration_secs,transfers,recording',
    );
    expect(first).toBe(
      `call_0_0,2030-01-02T03:04:05.000Z,2030-01-02T03:04:05.000Z,,inbound,erased,+4570000000,num_1,'@Support,+4570000000,emp_1;emp_2,"Ane;Bo ""B""",answered,0,,1,true`,
    );
    expect(rest).toHaveLength(3 * CHUNK);
    expect(rest.at(-1)).toBe('');
  });

  it('the file of calls has the filters of the list, and those of reports', async () => {
    await get('/calls/export.csv?main_number_id=num_1&phone_number=+4520304050&direction=outbound&tag=vip&state=ended');
    const filters = {
      phoneNumber: '+4520304050',
      direction: CallDirection.OUTBOUND,
      tag: 'vip',
      state: CallState.ENDED,
    };
    expect(asked).toMatchObject({ mainNumberId: 'num_1', ...filters, startedFrom: AT, startedBefore: AT });
    recorded.length = 0;
    await get('/calls/export.csv?from=2030-01-02&business_number_id=num_2&employee_id=emp_1');
    expect(asked).toMatchObject({ mainNumberId: 'num_2', employeeId: 'emp_1' });
    const filter = { from: '2030-01-02', to: '2030-01-31', business_number_id: 'num_2', employee_id: 'emp_1' };
    const name = 'calls_2030-01-02_2030-01-31.csv';
    expect(recorded).toEqual([{ content: FileContent.CALLS, name, filter }]);
  });

  it('the file of calls is refused for days that are none, and to members', async () => {
    recorded.length = 0;
    const refused = await get('/calls/export.csv?from=yesterday');
    expect(refused.status).toBe(422);
    expect(refused.headers.get('content-type')).toContain('application/json');
    expect((await get('/calls/export.csv', MEMBERS_KEY)).status).toBe(403);
    expect(recorded).toEqual([]);
  });
});
