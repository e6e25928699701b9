import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { LiveReportService } from '@parley/proto/call_control/v1/live_report_pb';
import { PresenceStatus } from '@parley/proto/call_control/v1/presence_pb';
import { ContactService } from '@parley/proto/directory/v1/contacts_pb';
import { EmployeeService, Role } from '@parley/proto/directory/v1/employees_pb';
import { BusinessNumberService } from '@parley/proto/numbers_routing/v1/numbers_pb';
import { fakeContract } from '@parley/testkit/service';
import { ane, ANES_KEY, startGateway, type TestGateway } from './start-gateway.ts';

const MEMBERS_KEY = 'pk_member';
const AT = timestampFromDate(new Date('2030-01-02T03:04:05Z'));
const NOW = '2030-01-02T03:04:05.000Z';
const CALLERS = 120;
const phone = (n: number) => `+45201000${String(n).padStart(2, '0')}`;
const employee = (id: string) => ({ id, companyId: 'com_1', name: `Name of ${id}`, createdAt: AT, updatedAt: AT });
const contact = { id: 'con_1', name: 'Åse', phone: phone(0), phoneFormatted: phone(0), createdAt: AT, updatedAt: AT };

let gateway: TestGateway;
/** The number of phone numbers in each request for contacts. */
const asked: number[] = [];
beforeAll(async () => {
  const live = fakeContract(LiveReportService, {
    async getLiveReport(_request, { principal }) {
      const waiting = Array.from({ length: CALLERS }, (_, n) => ({
        callId: `call_${n}`,
        from: n === 1 ? 'anonymous' : phone(n),
        position: n + 1,
        waitingSecs: CALLERS - n,
      }));
      const assisted = { callId: 'call_a', from: phone(0), assistantName: 'Robin', since: AT, transferring: true };
      const call = { id: 'call_x', remoteNumber: phone(0), since: AT };
      const talking = { employeeId: 'emp_1', status: PresenceStatus.ON_CALL, statusSince: AT, call };
      return {
        at: AT,
        numbers: [{ numberId: 'num_1', waiting, ringing: 2, inConversation: 3, assisted: [assisted] }],
        employees: principal.kind === 'employee' && principal.role === 'member' ? [] : [talking],
      };
    },
  });
  const numbers = fakeContract(BusinessNumberService, {
    listBusinessNumbers: async () => ({
      numbers: [
        { id: 'num_1', name: 'Front desk', open: true },
        { id: 'num_2', name: 'Night', open: false },
      ],
    }),
  });
  const employees = fakeContract(EmployeeService, {
    async *listEmployees() {
      yield { employees: [employee('emp_1')] };
      yield { employees: [employee('emp_2')] };
    },
    readEmployee: async ({ id }) => ({ employee: employee(id) }),
  });
  const contacts = fakeContract(ContactService, {
    async findContactsByPhones({ phones }) {
      asked.push(phones.length);
      return { contacts: phones.includes(contact.phone) ? [contact] : [] };
    },
  });
  const peers = { 'call-control': [live], 'numbers-routing': [numbers], directory: [contacts, employees] };
  gateway = await startGateway({}, {}, peers);
  gateway.credentials.set(MEMBERS_KEY, { ...ane, employeeId: 'emp_2', role: Role.MEMBER });
});
afterAll(() => gateway?.stop());

async function report(key = ANES_KEY): Promise<any> {
  const response = await fetch(`${gateway.url}/api/v1/reports/live`, { headers: { 'X-Api-Key': key } });
  expect(response.status).toBe(200);
  return response.json();
}

it('the live report has every number and every employee, with callers by the names of their contacts', async () => {
  const { at, numbers, employees } = await report();
  expect(at).toBe(NOW);
  const [first, second] = numbers;
  expect(first).toMatchObject({ id: 'num_1', name: 'Front desk', open: true, ringing: 2, in_conversation: 3 });
  expect(first.longest_wait_secs).toBe(CALLERS);
  expect(first.assisted).toEqual([
    {
      call_id: 'call_a',
      from: phone(0),
      contact: expect.objectContaining({ name: 'Åse' }),
      transferring: true,
      assistant: { name: 'Robin', since: NOW },
    },
  ]);
  expect(first.waiting).toHaveLength(CALLERS);
  expect(first.waiting[0]).toMatchObject({ call_id: 'call_0', from: phone(0), position: 1, waiting_secs: CALLERS });
  expect(first.waiting[0].contact).toMatchObject({ id: 'con_1', name: 'Åse' });
  expect(first.waiting[1]).toMatchObject({ from: 'anonymous', contact: null });
  const none = { waiting: [], ringing: 0, in_conversation: 0, longest_wait_secs: 0 };
  expect(second).toEqual({ id: 'num_2', name: 'Night', open: false, ...none });
  expect(employees).toEqual([
    {
      id: 'emp_1',
      name: 'Name of emp_1',
      status: 'on_call',
      since: NOW,
      call: { id: 'call_x', with: phone(0), contact: first.waiting[0].contact, since: NOW },
    },
    { id: 'emp_2', name: 'Name of emp_2', status: 'logged_out', since: NOW, call: null },
  ]);
  expect(Math.max(...asked)).toBeLessThanOrEqual(100);
});

it('the live report shows members nobody but themselves', async () => {
  const { employees, numbers } = await report(MEMBERS_KEY);
  expect(employees.map(({ id }: { id: string }) => id)).toEqual(['emp_2']);
  expect(numbers).toHaveLength(2);
});
