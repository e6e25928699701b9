import { expect } from '../../expectations/expect.ts';
import { absent, between, integer, listOf, listWith, someText, text, timestamp } from '../../expectations/shapes.ts';
import { callIs, endedCall, hasStatus, inConversation, keptAgent, numberOf } from '../../world/conversations.ts';
import { eventually } from '../../expectations/eventually.ts';
import { Failure } from '../../expectations/failure.ts';
import { freshPhone, freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { CALL, INBOUND, rejectedCalls } from './call.ts';

const { must } = checksOf('calls');
const MODEL = { source: 'service-api.md: Call', profile: 'full' } as const;
const ENDPOINTS = { source: 'service-api.md: Calls', profile: 'full' } as const;
const STATE = { source: 'service-api.md: Call state', profile: 'full' } as const;
const DECIDED = { source: 'decisions.md: Calls and transfers', profile: 'full' } as const;

export const oneCallChecks: readonly Check[] = [
  must(1, 'A call has all of its fields.', MODEL, async (context) => {
    const { company, call } = await endedCall(context);
    await company.get(`/calls/${call.id}`).gives(200, CALL);
  }),

  must(2, 'A call has the numbers of both sides and its business number.', MODEL, async (context) => {
    const { company, call, from, number } = await endedCall(context);
    await company.get(`/calls/${call.id}`).gives(200, {
      from,
      to: number.number,
      direction: 'inbound',
      main_number_id: number.id,
      main_number_name: number.name,
      main_number: number.number,
      main_number_formatted: number.number_formatted,
    });
  }),

  must(3, 'An inbound call has no `initiated_by`.', MODEL, async (context) => {
    const { company, call } = await endedCall(context);
    await company.get(`/calls/${call.id}`).gives(200, INBOUND);
    await company.get('/calls?direction=inbound&limit=50').gives(200, { calls: listOf({ initiated_by: absent }) });
  }),

  must(4, 'A call names the employees who took part.', MODEL, async (context) => {
    const { company, call, agentId } = await endedCall(context);
    const { name } = await company.get(`/employees/${agentId}`).gives(200);
    await company.get(`/calls/${call.id}`).gives(200, { employees: [{ id: agentId, name }] });
  }),

  must(5, 'The duration of a call is counted in seconds from its answer.', MODEL, async (context) => {
    const { company, call } = await endedCall(context);
    const { answered_at: answeredAt, started_at: startedAt } = await company
      .get(`/calls/${call.id}`)
      .gives(200, { duration: between(0, 60), answered_at: timestamp, started_at: timestamp });
    expect(answeredAt >= startedAt, true, 'whether the call was answered after it started');
  }),

  must(6, 'A call that nobody answered has neither answer nor duration.', DECIDED, async (context) => {
    const { company, calls } = await rejectedCalls(context, 12);
    const unanswered = { state: 'ended', answered_at: null, duration: null, employees: [], started_at: timestamp };
    await company.get(`/calls/${calls[0]!.id}`).gives(200, unanswered);
  }),

  must(7, 'A call in conversation is bridged, and has no duration and no recording yet.', STATE, async (context) => {
    await inConversation(context, async ({ company, callId }) => {
      await company
        .get(`/calls/${callId}`)
        .gives(200, { state: 'bridged', answered_at: timestamp, duration: null, recording_url: null });
    });
  }),

  must(8, 'A caller who waits is queued and not answered.', STATE, async (context) => {
    const company = await context.companies.shared();
    const number = await numberOf(company, [await company.hire()]);
    const customer = await context.sandbox.call(freshPhone(), number.number);
    const callId = await customer.callId();
    await callIs(company, callId, { state: 'queued', answered_at: null, duration: null });
    await customer.hangUp();
    await callIs(company, callId, { state: 'ended', answered_at: null, duration: null });
  }),

  must(9, 'A call ends when the employee hangs up.', STATE, async (context) => {
    await inConversation(context, async ({ company, callId, agentLeg, customer }) => {
      await agentLeg.hangUp();
      await customer.is('ended');
      await callIs(company, callId, { state: 'ended', duration: integer });
    });
  }),

  must(
    10,
    'An employee is on a call as long as it lasts.',
    { source: 'service-api.md: Employee status', profile: 'full' },
    async (context) => {
      const company = await context.companies.shared();
      const { employee } = await keptAgent(context, company);
      await inConversation(context, () => hasStatus(company, employee.id, 'on_call'));
      await hasStatus(company, employee.id, 'available');
    },
  ),

  must(11, 'An outbound call is made by an employee and answered by the other side.', MODEL, async (context) => {
    const company = await context.companies.shared();
    const { employee, phone } = await keptAgent(context, company);
    const number = await numberOf(company, [employee]);
    const to = freshPhone();
    const leg = await phone.dials(number.id, to);
    try {
      const other = await eventually('the other side rings', async () => {
        const [ringing] = await context.sandbox.legsAt(to);
        if (!ringing) throw new Failure('no leg is there');
        return ringing;
      });
      const callId = await leg.callId();
      const initiatedBy = { id: employee.id, name: employee.name };
      const outbound = { ...CALL, direction: 'outbound', from: number.number, to, initiated_by: initiatedBy };
      await company.get(`/calls/${callId}`).gives(200, { ...outbound, answered_at: null });
      await other.answer();
      await callIs(company, callId, { ...outbound, state: 'bridged', answered_at: timestamp });
      await other.hangUp();
      await callIs(company, callId, { ...outbound, state: 'ended', duration: integer });
    } finally {
      await leg.hangUp();
    }
  }),

  must(12, 'Without recording a call has no recording.', MODEL, async (context) => {
    let seen = { company: await context.companies.shared(), callId: '' };
    await inConversation(
      context,
      async ({ company, callId }) => {
        seen = { company, callId };
      },
      { recording_enabled: false },
    );
    const ended = await callIs(seen.company, seen.callId, { state: 'ended' });
    expect(ended, { recording_url: null, transcription: null }, 'the call');
  }),

  must(13, 'An unknown call is answered with 404.', { ...ENDPOINTS, profile: 'api' }, async ({ companies }) => {
    const company = await companies.shared();
    await company.get(`/calls/call_${freshWord()}`).isNotFound();
  }),

  must(14, "Another company's call is answered with 404.", ENDPOINTS, async (context) => {
    const { company, call } = await endedCall(context);
    const another = await context.companies.another();
    await another.get(`/calls/${call.id}`).isNotFound();
    await company.get(`/calls/${call.id}`).gives(200);
  }),

  must(15, 'Calls need a credential.', { source: 'service-api.md: API keys', profile: 'api' }, async (context) => {
    const company = await context.companies.shared();
    const nobody = company.withHeaders({});
    for (const path of ['/calls', '/calls/active', `/calls/call_${freshWord()}`]) await nobody.get(path).isRefused(401);
    await nobody.post('/calls/seen', {}).isRefused(401);
  }),

  must(
    16,
    'A recorded call gets a recording that can be played, a transcription and its segments.',
    MODEL,
    async (context) => {
      let seen = { company: await context.companies.shared(), callId: '', agentId: '', agentName: '' };
      await inConversation(context, async ({ company, callId, agent, customer, agentLeg }) => {
        seen = { company, callId, agentId: agent.employee.id, agentName: agent.employee.name };
        await customer.say('Good morning. I would like to order two large pizzas, please.');
        await agentLeg.say('Of course. Your pizzas are ready at noon.');
      });
      const call = await eventually(
        'the transcription',
        () =>
          seen.company.get(`/calls/${seen.callId}`).gives(200, {
            recording_url: someText,
            transcription: someText,
            transcription_segments: listOf({ speaker: text, text: someText }),
          }),
        { withinMs: 90_000 },
      );
      expect(call.transcription_segments, listWith({ employee_id: seen.agentId }), 'the segments');
      const url = new URL(call.recording_url);
      const { status, bytes } = await seen.company.withHeaders({}).network.send({
        method: 'GET',
        base: url.origin,
        path: url.pathname + url.search,
        headers: { 'X-Api-Key': seen.company.apiKey },
      });
      expect([status, bytes.length > 1000], [200, true], 'status of the recording, and whether it is longer than 1 kB');
    },
  ),
];
