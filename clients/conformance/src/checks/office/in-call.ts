import { expect, expectThat } from '../../expectations/expect.ts';
import { listWith, someText } from '../../expectations/shapes.ts';
import { eventually } from '../../expectations/eventually.ts';
import { callIs, endedCall, hasStatus, inConversation, keptAgent } from '../../world/conversations.ts';
import { freshPhone, freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';

const { must } = checksOf('office');
const CALLS = { source: 'office.md: Calls', profile: 'full' } as const;
const SHAPES = { source: 'office.md: Shapes', profile: 'full' } as const;

export const inCallChecks: readonly Check[] = [
  must(32, 'A call is held and goes on.', CALLS, async (context) => {
    await inConversation(context, async ({ company, agent, callId, customer, agentLeg }) => {
      await agent.employee.put(`/calls/${callId}/hold`, { on: true }).gives(200, { id: callId });
      await eventually('the customer waits', async () => {
        const { heard } = await customer.view();
        expectThat(heard.at(-1)?.kind !== 'party', 'the customer hears the employee');
      });
      await agent.employee.put(`/calls/${callId}/hold`, { on: false }).gives(200, { id: callId });
      await eventually('the customer hears the employee', async () => {
        expect((await customer.view()).heard.at(-1), { kind: 'party', leg_id: agentLeg.id }, 'what the customer hears');
      });
      await callIs(company, callId, { state: 'bridged' });
    });
  }),

  must(
    33,
    'Only the controller holds a call or pauses its recording, and only in a conversation.',
    SHAPES,
    async (context) => {
      const { call } = await endedCall(context);
      await inConversation(context, async ({ company, agent, callId }) => {
        const another = await context.companies.another();
        for (const [below, body] of [
          ['hold', { on: true }],
          ['recording', { paused: true }],
        ] as const) {
          await company.put(`/calls/${callId}/${below}`, body).isRefused(403, { code: 'not_controller' });
          await another.put(`/calls/${callId}/${below}`, body).isNotFound();
          await agent.employee.put(`/calls/${callId}/${below}`, {}).isRefused(422);
          const { status, body: refused } = await agent.employee.put(`/calls/${call.id}/${below}`, body);
          const isRefused = (status === 409 && refused.code === 'call_not_in_conversation') || status === 403;
          expectThat(isRefused, `an ended call was answered with ${status} ${JSON.stringify(refused)}`);
        }
      });
    },
  ),

  must(34, 'The recording of a call is paused and goes on.', CALLS, async (context) => {
    await inConversation(context, async ({ agent, callId }) => {
      const path = `/calls/${callId}/recording`;
      await agent.employee.put(path, { paused: true }).gives(200, { id: callId });
      await agent.employee.put(path, { paused: false }).gives(200, { id: callId });
    });
  }),

  must(35, 'A blind transfer releases the controller at once.', CALLS, async (context) => {
    await inConversation(context, async ({ company, agent, callId, agentLeg, customer }) => {
      const target = await keptAgent(context, company, 'target');
      const body = { employee_id: target.employee.id, mode: 'blind' };
      await agent.employee.post(`/calls/${callId}/transfers`, body).gives(201, { transfer: { id: someText } });
      await agentLeg.is('ended');
      const leg = await target.phone.answers();
      await eventually('the customer hears the target', async () => {
        expect((await customer.view()).heard.at(-1), { kind: 'party', leg_id: leg.id }, 'what the customer hears');
      });
      await callIs(company, callId, { state: 'bridged' });
      await hasStatus(company, agent.employee.id, 'available');
    });
  }),

  must(36, 'A warm transfer to an outside number names it instead of an employee.', CALLS, async (context) => {
    await inConversation(context, async ({ company, agent, callId }) => {
      const path = `/calls/${callId}/transfers`;
      const outside = freshPhone();
      const { transfer } = await agent.employee
        .post(path, { phone_number: outside })
        .gives(201, { transfer: { state: 'ringing', to_employee: null, to_phone_number: outside } });
      await eventually('the other side rings', async () => {
        expect((await context.sandbox.legsAt(outside)).length, 1, 'how many legs ring there');
      });
      await agent.employee.delete(`${path}/${transfer.id}`).gives(200, { transfer: { state: 'cancelled' } });
      await callIs(company, callId, { state: 'bridged' });
    });
  }),

  must(37, 'A call has a note and tags, and is found by a tag.', CALLS, async (context) => {
    const { company, call } = await endedCall(context);
    const tag = freshWord();
    await company
      .patch(`/calls/${call.id}`, { note: 'Wants two cakes.', tags: [tag] })
      .gives(200, { note: 'Wants two cakes.', tags: [tag] });
    await company
      .get(`/calls?tag=${tag}`)
      .gives(200, { calls: [{ id: call.id, note: 'Wants two cakes.', tags: [tag] }] });
    await company.get(`/calls?tag=${freshWord()}`).gives(200, { calls: [] });
    await (await context.companies.another()).patch(`/calls/${call.id}`, { note: 'Mine' }).isNotFound();
    await company.get(`/calls/${call.id}`).gives(200, { note: 'Wants two cakes.' });
  }),

  must(38, 'Nobody supervises a call while the company has not switched it on.', SHAPES, async (context) => {
    await inConversation(context, async ({ company, agent, callId }) => {
      const path = `/calls/${callId}/supervision`;
      await company.post(path, { mode: 'listen' }).isRefused(403, { code: 'supervision_disabled' });
      await agent.employee.post(path, { mode: 'listen' }).isRefused(403);
    });
  }),

  must(
    39,
    'A thread is assigned, done, and opened again by what is new; a comment does not open it.',
    CALLS,
    async (context) => {
      const company = await context.companies.shared({ messaging: true });
      const { number } = await company.number();
      const employee = await company.hire();
      const from = freshPhone();
      await context.sandbox.text(from, number, 'Hello');
      const path = `/inbox/${encodeURIComponent(from)}`;
      const thread = { phone_number: from, assignee: { id: employee.id, name: employee.name }, state: 'done' };
      await eventually('the thread', () =>
        company.get('/inbox').gives(200, { threads: listWith({ phone_number: from, assignee: null, state: 'open' }) }),
      );
      await company.patch(path, { assignee_id: employee.id, state: 'done' }).gives(200, thread);
      const assigned = `/inbox?assignee_id=${employee.id}`;
      await company.get(`${assigned}&state=done`).gives(200, { threads: [thread] });
      await company.get(`${assigned}&state=open`).gives(200, { threads: [] });
      await company.post(`${path}/comments`, { text: 'Knows us well.' }).gives(201);
      const { items } = await company.get(`${path}/activity`).gives(200);
      expect(items, listWith({ type: 'comment', text: 'Knows us well.' }), 'the items of the thread');
      await company.get(`${assigned}&state=done`).gives(200, { threads: [{ phone_number: from }] });
      expect(await context.sandbox.textsTo(from), [], 'the texts to the customer');
      await context.sandbox.text(from, number, 'One more thing');
      await eventually('the thread is open', () =>
        company.get(`${assigned}&state=open`).gives(200, { threads: [{ phone_number: from }] }),
      );
    },
  ),
];
