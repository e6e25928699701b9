import { createNumber } from '../business-numbers/create-number.ts';
import { waitForPrompts } from '../business-numbers/wait-for-prompts.ts';
import {
  advanceClock,
  type Company,
  createTestCompany,
  operate,
  type Reply,
  sandbox,
  send,
  sharedStack,
  succeeded,
} from '../support/api.ts';
import type { LocalJson } from '../support/local-stack.ts';
import { waitUntil } from '@parley/testkit/wait-until';

/** An employee with an API key and a softphone. */
export interface Employee {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  call(method: string, path: string, body?: unknown): Promise<Reply>;
}

/** A phone's side of a call, as the sandbox shows it. */
export interface Leg {
  readonly leg_id: string;
  readonly state: string;
  readonly call_id: string | null;
  readonly heard: readonly { kind: string; text?: string; leg_id?: string }[];
  readonly hangup_cause?: string;
  readonly from?: string;
}

const EVENTS = [
  'call.initiated',
  'call.outside_business_hours',
  'call.queued',
  'call.answered',
  'call.ended',
  'call.lost',
  'call.held',
  'call.resumed',
  'call.note_changed',
  'voicemail.new',
];
/** Everything is slower on a busy machine, and more so after a process was killed. */
export const LIMIT_MS = 100_000;
let companies = 0;

/** A company with employees, a number that is always open, and a caller. */
export async function openPhoneCompany(stack: LocalJson = sharedStack()) {
  const company = await createTestCompany(stack);
  const numbers = new Map<string, string>();
  const hook = `calls-${process.pid}-${(companies += 1)}`;
  const url = `${stack.sandbox_url}/hooks/${hook}`;
  await succeeded(company.call('POST', '/webhooks', { name: 'Calls', url, events: EVENTS }));

  const fixture = {
    company,
    stack,
    sandbox: (method: string, path: string, body?: unknown) => succeeded(sandbox(stack, method, path, body)),

    async hire(name: string, online: boolean): Promise<Employee> {
      const email = `${name}.${process.pid}.${Math.random().toString(36).slice(2)}@example.com`;
      const { body } = await succeeded(company.call('POST', '/employees', { name, email }));
      const key = await succeeded(operate(stack, 'POST', `/employees/${body.id}/api_keys`, { name: 'phone' }));
      const headers = { 'X-Api-Key': key.body.api_key as string };
      const employee: Employee = {
        id: body.id,
        name,
        email,
        call: (method, path, sent) => send(method, `${stack.base_url}/api/v1${path}`, { headers, body: sent }),
      };
      if (online) await fixture.online(employee);
      return employee;
    },
    async online({ id }: Employee, online = true): Promise<void> {
      await fixture.sandbox('PUT', `/phones/${id}`, { online });
      const expected = online ? 'available' : 'logged_out';
      await fixture.status({ id }, expected);
    },
    status: ({ id }: { id: string }, expected: string) =>
      waitUntil(async () => (await company.call('GET', `/employees/${id}`)).body.status === expected, {
        what: `${expected}`,
        timeoutMs: LIMIT_MS,
      }),
    /** A number with this routing, open around the clock; its prompts can be heard unless they are not awaited. */
    async number(
      config: object,
      more: { noAnswer?: object; details?: object; closed?: object; awaitsPrompts?: boolean } = {},
    ): Promise<string> {
      const { body } = await createNumber(company, { incoming_call_config: config, ...more.details }, stack);
      const hours = [0, 1, 2, 3, 4, 5, 6].map((day) => ({
        day_of_week: day,
        open: more.closed === undefined,
        opening_at: '00:00',
        closing_at: '24:00',
      }));
      const slot = `/business_numbers/${body.id}/outside_business_hours_config`;
      await succeeded(company.call('PUT', slot, { ...(more.closed ?? { type: null }), business_hours: hours }));
      if (more.noAnswer)
        await succeeded(company.call('PUT', `/business_numbers/${body.id}/no_answer_config`, more.noAnswer));
      // A caller would wait for audio as well; here it is not what is tested.
      if (more.awaitsPrompts !== false) await waitForPrompts(company, body.id);
      numbers.set(body.number, body.id);
      return body.number;
    },
    numberId: (number: string) => numbers.get(number) ?? '',
    async dial(to: string, from = '+4520304050'): Promise<string> {
      return (await fixture.sandbox('POST', '/calls', { from, to })).body.leg_id;
    },
    /** Raises the limits to the number of calls that a test needs. */
    limits: (limits: object) => succeeded(operate(stack, 'PATCH', `/companies/${company.id}`, { limits })),
    leg: async (legId: string): Promise<Leg> => (await fixture.sandbox('GET', `/legs/${legId}`)).body,
    callOf: (legId: string): Promise<string> =>
      waitUntil(async () => (await fixture.leg(legId)).call_id ?? undefined, { what: 'a call', timeoutMs: LIMIT_MS }),
    call: async (callId: string) => (await company.call('GET', `/calls/${callId}`)).body,
    state: (callId: string, state: string) =>
      waitUntil(
        async () => {
          const call = await fixture.call(callId);
          return call.state === state ? call : undefined;
        },
        { what: `call ${state}`, timeoutMs: LIMIT_MS },
      ),
    legState: (legId: string, state: string) =>
      waitUntil(async () => (await fixture.leg(legId)).state === state, { what: `leg ${state}`, timeoutMs: LIMIT_MS }),
    heard: async (legId: string) =>
      (await fixture.leg(legId)).heard.map(({ kind, text }) => (kind === 'speech' ? text : kind)),
    waitUntilHeard: (legId: string, what: string) =>
      waitUntil(async () => (await fixture.heard(legId)).includes(what), {
        what: `hears ${what}`,
        timeoutMs: LIMIT_MS,
      }),
    waitUntilHeardTimes: (legId: string, what: string, times: number) =>
      waitUntil(async () => (await fixture.heard(legId)).filter((heard) => heard === what).length >= times, {
        what: `hears ${what} ${times} times`,
        timeoutMs: LIMIT_MS,
      }),
    phone: async ({ id }: Employee): Promise<{ online: boolean; legs: Leg[] }> =>
      (await fixture.sandbox('GET', `/phones/${id}`)).body,
    /** The call that rings at an employee's phone. */
    rings: (employee: Employee) =>
      waitUntil(async () => (await fixture.phone(employee)).legs.find(({ state }) => state === 'ringing'), {
        what: `${employee.name} rings`,
        timeoutMs: LIMIT_MS,
      }),
    /** The phone has no legs, and the product knows it. */
    async waitUntilIdle(employee: Employee): Promise<void> {
      const what = `${employee.name} is idle`;
      await waitUntil(async () => (await fixture.phone(employee)).legs.length === 0, { what, timeoutMs: LIMIT_MS });
      const status = async () => (await company.call('GET', `/employees/${employee.id}`)).body.status;
      await waitUntil(async () => (await status()) !== 'on_call', { what, timeoutMs: LIMIT_MS });
    },
    async answer(employee: Employee): Promise<void> {
      await fixture.rings(employee);
      await fixture.sandbox('POST', `/phones/${employee.id}/answer`);
    },
    async decline(employee: Employee): Promise<void> {
      await fixture.rings(employee);
      await fixture.sandbox('POST', `/phones/${employee.id}/decline`);
    },
    press: (legId: string, digits: string) => fixture.sandbox('POST', `/legs/${legId}/digits`, { digits }),
    hangUp: (legId: string) => fixture.sandbox('POST', `/legs/${legId}/hangup`),
    advance: (seconds: number) => advanceClock(stack, seconds),
    /** Types of the events about a call, in order of arrival, once `last` is among them. */
    events: (callId: string, last: string): Promise<string[]> =>
      waitUntil(
        async () => {
          const { body } = await fixture.sandbox('GET', `/hooks/${hook}`);
          const types = (body as { body: { event: string; data: { id: string } } }[])
            .filter((delivery) => delivery.body.data.id === callId)
            .map((delivery) => delivery.body.event);
          return types.includes(last) ? types : undefined;
        },
        { what: `event ${last}`, timeoutMs: LIMIT_MS },
      ),
    /** A caller in conversation with an employee. */
    async talk(number: string, employee: Employee): Promise<{ legId: string; callId: string }> {
      const legId = await fixture.dial(number);
      const callId = await fixture.callOf(legId);
      await fixture.answer(employee);
      await fixture.state(callId, 'bridged');
      return { legId, callId };
    },
    async over(...calls: { legId: string; callId: string }[]): Promise<void> {
      for (const { legId } of calls) await fixture.hangUp(legId);
      for (const { callId } of calls) await fixture.state(callId, 'ended');
    },
  };

  return fixture;
}

export type PhoneCompany = Awaited<ReturnType<typeof openPhoneCompany>> & { company: Company };
