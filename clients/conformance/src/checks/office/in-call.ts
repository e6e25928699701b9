import { expect, expectThat } from '../../expectations/expect.ts';
import { listWith, someText } from '../../expectations/shapes.ts';
import { eventually } from '../../expectations/eventually.ts';
import { callIs, endedCall, hasStatus, inConversation, keptAgent, numberOf } from '../../world/conversations.ts';
import { Failure } from '../../expectations/failure.ts';
import { freshPhone, freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';

const { must } = checksOf('office');
const CALLS = { source: 'office.md: Calls', profile: 'full' } as const;
const SHAPES = { source: 'office.md: Shapes', profile: 'full' } as const;
const LIMITS = { source: 'office.md: Limits and fraud', profile: 'full' } as const;

export const inCallChecks: readonly Check[] = [
  must(30, 'A call out rings at the employee first, then at the other side, from the business number.', CALLS, async (context) => {
    const company = await context.companies.shared();
    const { employee, phone } = await keptAgent(context, company);
    const number = await numberOf(company, [employee]);
    const to = freshPhone();
    const outbound = { direction: 'outbound', from: number.number, to };
    const { id } = await employee.post('/calls', { business_number_id: number.id, to }).gives(201, { id: someText, ...outbound });
    const ringing = await phone.rings();
    expect((await context.sandbox.legsAt(to)).length, 0, 'how often the other side rings before the employee answers');
    await phone.answers();
    const other = await eventually('the other side rings', async () => {
      const [leg] = await context.sandbox.legsAt(to);
      if (!leg) throw new Failure('no leg is there');
      return leg;
    });
    const legs = await context.sandbox.get(`/subscribers/${encodeURIComponent(to)}/legs`).gives(200);
    expect(legs, [{ from: number.number }], 'the legs at the other side');
    await other.answer();
    await callIs(company, id, { ...outbound, state: 'bridged', initiated_by: { id: employee.id } });
    await ringing.hangUp();
    await callIs(company, id, { state: 'ended' });
  }),

  must(31, 'A call out needs an employee with a phone, a number to call and one to call from.', SHAPES, async (context) => {
    const company = await context.companies.shared();
    const employee = await company.hire();
    const another = await context.companies.another();
    const [{ id }, foreign] = [await company.number(), await another.number()];
    const to = freshPhone();
    await employee.post('/calls', { business_number_id: id, to }).isRefused(409, { code: 'employee_unavailable' });
    await employee.post('/calls', { business_number_id: id, to: '12' }).isRefused(422, { field: 'to' });
    await company.post('/calls', { business_number_id: id, to, employee_id: another.owner.id }).isNotFound();
    for (const numberId of [`num_${freshWord()}`, foreign.id]) {
      const { status } = await employee.post('/calls', { business_number_id: numberId, to });
      expectThat(status === 404 || status === 422, `a call from ${numberId} was answered with ${status}`);
    }
  }),

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

  must(33, 'Only the controller holds a call or pauses its recording, and only in a conversation.', SHAPES, async (context) => {
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
  }),

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
    await company.patch(`/calls/${call.id}`, { note: 'Wants two cakes.', tags: [tag] }).gives(200, { note: 'Wants two cakes.', tags: [tag] });
    await company.get(`/calls?tag=${tag}`).gives(200, { calls: [{ id: call.id, note: 'Wants two cakes.', tags: [tag] }] });
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

  must(39, 'A thread is assigned, done, and opened again by what is new; a comment does not open it.', CALLS, async (context) => {
    const company = await context.companies.shared({ messaging: true });
    const { number } = await company.number();
    const employee = await company.hire();
    const from = freshPhone();
    await context.sandbox.text(from, number, 'Hello');
    const path = `/inbox/${encodeURIComponent(from)}`;
    const thread = { phone_number: from, assignee: { id: employee.id, name: employee.name }, state: 'done' };
    await eventually('the thread', () => company.get('/inbox').gives(200, { threads: listWith({ phone_number: from, assignee: null, state: 'open' }) }));
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
    await eventually('the thread is open', () => company.get(`${assigned}&state=open`).gives(200, { threads: [{ phone_number: from }] }));
  }),

  must(40, 'A premium-rate or satellite number, or a country that is not allowed, is refused.', LIMITS, async (context) => {
    const company = await context.companies.shared();
    const { employee } = await keptAgent(context, company);
    const { id } = await numberOf(company, [employee]);
    for (const to of ['+4590123456', '+881612345678', '+5511912345678'])
      await employee.post('/calls', { business_number_id: id, to }).isRefused(403, { code: 'destination_not_allowed' });
  }),

  must(41, 'A company has no more calls at once than the operator allows; another one is busy.', LIMITS, async (context) => {
    const company = await context.companies.fresh();
    const limits = { simultaneous_calls: 1 };
    await context.operator.patch(`/companies/${company.id}`, { limits }).gives(200, { limits });
    const { number } = await numberOf(company, [company.owner]);
    const first = await context.sandbox.call(freshPhone(), number);
    await callIs(company, await first.callId(), { state: 'queued' });
    const over = await context.sandbox.call(freshPhone(), number);
    const { hangup_cause: cause } = await over.is('ended');
    expect(cause, 'USER_BUSY', 'why the second call ended');
    await first.hangUp();
  }),
];
