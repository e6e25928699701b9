import { endpoint, json } from '@parley/http';
import type {
  AssistedCaller,
  LiveCall,
  LiveEmployee,
  LiveNumber,
  WaitingCaller,
} from '@parley/proto/call_control/v1/live_report_pb';
import { PresenceStatus } from '@parley/proto/call_control/v1/presence_pb';
import type { Contact } from '@parley/proto/directory/v1/contacts_pb';
import {
  callbackJson,
  callbackSchema,
  contactJson,
  contactSchema,
  isoTime,
  isoTimeOf,
  statusJson,
  statusSchema,
} from '@parley/public-json';
import { hasRole } from '@parley/actor';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';

const liveReportSchema = z
  .object({
    at: z.string(),
    numbers: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          open: z.boolean().describe('By its business hours'),
          waiting: z
            .array(
              z.object({
                call_id: z.string(),
                from: z.string(),
                contact: contactSchema.nullable(),
                position: z.int(),
                waiting_secs: z.int(),
                callback: callbackSchema.nullable().describe('Of a caller who waits to be called back'),
              }),
            )
            .describe('Callers in the queue, the first one first'),
          ringing: z.int().describe('Calls that ring at employees'),
          in_conversation: z.int(),
          assisted: z
            .array(
              z.object({
                call_id: z.string(),
                from: z.string(),
                contact: contactSchema.nullable(),
                transferring: z.boolean().describe('The assistant rings somebody'),
                assistant: z.object({ name: z.string(), since: z.string() }),
              }),
            )
            .optional()
            .describe('Callers who talk with an assistant, the first one first; left out when there are none'),
          longest_wait_secs: z.int().describe('Of the callers in the queue; 0 when there are none'),
        }),
      )
      .describe('Oldest first'),
    employees: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        status: statusSchema,
        since: z.string().nullable().describe('When the status became this; null when that is not known'),
        call: z
          .object({
            id: z.string(),
            with: z.string().describe('The phone number of the other side'),
            contact: contactSchema.nullable(),
            since: z.string(),
          })
          .nullable(),
      }),
    ),
  })
  .meta({ id: 'LiveReport' });

type LiveReportJson = z.output<typeof liveReportSchema>;

/** Per request for contacts. */
const PHONES_MAX = 100;

export const getLiveReport = (clients: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /reports/live',
    sdkMethod: 'reports.live',
    summary: 'Report what happens now',
    description:
      'Open calls by business number, and what employees do. Members get themselves only under `employees`. The live channel sends `live_report_update`, at most one a second, when it is time to read again.',
    responses: { 200: liveReportSchema },
    tools: {
      get_live_report: {
        description: 'Who waits, which calls ring, who talks with whom. Use it for “is anybody waiting?”.',
        result: { schema: z.looseObject({ at: z.string() }), of: (body) => body as LiveReportJson },
      },
    },
    async handle({ context }) {
      const [live, { numbers }, employees] = await Promise.all([
        clients.liveReports.getLiveReport({}, { as: context }),
        clients.businessNumbers.listBusinessNumbers({}, { as: context }),
        shownEmployees(clients, context),
      ]);
      const phones = [
        ...live.numbers.flatMap(({ waiting, assisted }) => [...waiting, ...assisted].map(({ from }) => from)),
        ...live.employees.flatMap(({ call }) => call?.remoteNumber ?? []),
      ];
      const contacts = contactLookup(await contactsOf(clients, context, phones));
      const byNumber = new Map(live.numbers.map((number) => [number.numberId, number]));
      const byEmployee = new Map(live.employees.map((employee) => [employee.employeeId, employee]));
      return json(200, {
        at: isoTimeOf(live.at),
        numbers: numbers.map(({ id, name, open }) => ({ id, name, open, ...numberJson(byNumber.get(id), contacts) })),
        employees: employees.map(({ id, name, createdAt }) => ({
          id,
          name,
          ...employeeJson(byEmployee.get(id), isoTime(createdAt), contacts),
        })),
      });
    },
  });

async function shownEmployees({ employees }: Clients, context: EmployeePrincipal) {
  if (!hasRole(context.role, 'admin')) {
    const { employee } = await employees.readEmployee({ id: context.employeeId }, { as: context });
    return employee ? [employee] : [];
  }
  const shown = [];
  for await (const part of employees.listEmployees({}, { as: context })) shown.push(...part.employees);
  return shown;
}

async function contactsOf({ contacts }: Clients, context: EmployeePrincipal, phones: readonly string[]) {
  const known = [...new Set(phones)].filter((phone) => phone.startsWith('+'));
  const parts = Array.from({ length: Math.ceil(known.length / PHONES_MAX) }, (_, part) =>
    known.slice(part * PHONES_MAX, (part + 1) * PHONES_MAX),
  );
  const found = await Promise.all(
    parts.map((some) => contacts.findContactsByPhones({ phones: some }, { as: context })),
  );
  return found.flatMap((part) => part.contacts);
}

type ContactLookup = (phone: string) => z.output<typeof contactSchema> | null;

function contactLookup(contacts: readonly Contact[]): ContactLookup {
  const byPhone = new Map(contacts.map((contact) => [contact.phone, contactJson(contact)]));
  return (phone) => byPhone.get(phone) ?? null;
}

function numberJson(number: LiveNumber | undefined, contactOf: ContactLookup) {
  const { waiting = [], ringing = 0, inConversation = 0, assisted = [] } = number ?? {};
  const waitingJson = ({ callId, from, position, waitingSecs, callback }: WaitingCaller) => ({
    call_id: callId,
    from,
    contact: contactOf(from),
    position,
    waiting_secs: waitingSecs,
    callback: callbackJson(callback),
  });
  const assistedJson = ({ callId, from, transferring, assistantName: name, since }: AssistedCaller) => ({
    call_id: callId,
    from,
    contact: contactOf(from),
    transferring,
    assistant: { name, since: isoTimeOf(since) },
  });
  return {
    waiting: waiting.map(waitingJson),
    ringing,
    in_conversation: inConversation,
    ...(assisted.length > 0 && { assisted: assisted.map(assistedJson) }),
    longest_wait_secs: Math.max(0, ...waiting.map(({ waitingSecs }) => waitingSecs)),
  };
}

/** Somebody who never was anything else has been logged out since the beginning. */
function employeeJson(employee: LiveEmployee | undefined, createdAt: string | null, contactOf: ContactLookup) {
  const { status = PresenceStatus.LOGGED_OUT, statusSince, call } = employee ?? {};
  const callJson = ({ id, remoteNumber, since }: LiveCall) => ({
    id,
    with: remoteNumber,
    contact: contactOf(remoteNumber),
    since: isoTimeOf(since),
  });
  return {
    status: statusJson(status),
    since: isoTime(statusSince) ?? (status === PresenceStatus.LOGGED_OUT ? createdAt : null),
    call: call ? callJson(call) : null,
  };
}
