import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PresenceStatus } from '@parley/proto/call_control/v1/presence_pb';
import { ClosureService } from '@parley/proto/numbers_routing/v1/closures_pb';
import { RouteExplanationService, RoutingService, RoutingSlot } from '@parley/proto/numbers_routing/v1/routing_pb';
import { TextingSettingsService } from '@parley/proto/numbers_routing/v1/texting_settings_pb';
import { documentQueryPlan } from '@parley/testkit';
import { asEmployee, asOperator, withRole } from '@parley/testkit/service';
import { forwardTo, reject, transferTo } from './flow-messages.ts';
import { createNumber } from './create-number.ts';
import { notFound, refusedWith, startNumbersRouting, type TestNumbersRouting } from './start-numbers-routing.ts';

let parley: TestNumbersRouting;
let numbers: TestNumbersRouting['numbers'];
let admin: TestNumbersRouting['admin'];
let routing: TestNumbersRouting['routing'];
beforeAll(async () => {
  parley = await startNumbersRouting();
  ({ numbers, admin, routing } = parley);
});
afterAll(() => parley?.stop());

let companyId: string;
let ownerId: string;
let me: ReturnType<typeof asEmployee>;
beforeEach(() => {
  ({ companyId, ownerId } = parley.directory.createCompany());
  me = asEmployee(companyId, ownerId);
  parley.directory.onCheck = undefined;
});

describe('the routing service', () => {
  const at = (iso: string) => ({ seconds: BigInt(Date.parse(iso) / 1000) });

  it('the routing service follows the business hours, and an inactive number has no flow', async () => {
    const { id, number } = await createNumber(parley, companyId);
    const resolve = (iso: string) => routing.resolveRoute({ number, at: at(iso) });
    expect(await resolve('2026-01-05T12:00:00Z')).toMatchObject({
      withinBusinessHours: true,
      slot: RoutingSlot.INCOMING_CALL,
      flow: { config: { case: 'transfer' } },
    });
    expect(await resolve('2026-01-05T20:00:00Z')).toMatchObject({
      withinBusinessHours: false,
      slot: RoutingSlot.OUTSIDE_BUSINESS_HOURS,
      flow: { config: { case: 'voicemail' } },
    });
    await admin.updateBusinessNumberByOperator({ id, active: false }, asOperator);
    const inactive = await resolve('2026-01-05T12:00:00Z');
    expect([inactive.number?.active, inactive.flow]).toEqual([false, undefined]);
  });

  it('the routing service has the no-answer flow only while its timer is armed', async () => {
    const { id, number } = await createNumber(parley, companyId);
    const set = (timeoutSecs?: number) =>
      numbers.setNoAnswerConfig({ id, config: reject('Sorry'), timer: { timeoutSecs } }, me);
    await set(30);
    expect((await routing.resolveRoute({ number })).noAnswer).toMatchObject({
      timeoutSecs: 30,
      flow: {
        config: { value: { message: { text: 'Sorry', contentHash: expect.stringMatching(/^[0-9a-f]{64}$/) } } },
      },
    });
    await set();
    expect((await routing.resolveRoute({ number })).noAnswer).toBeUndefined();
  });

  it('the routing service finds numbers by id and by phone number', async () => {
    const { id, number } = await createNumber(parley, companyId);
    expect((await routing.getNumber({ id })).number).toMatchObject({ id, number });
    expect((await routing.getNumberByE164({ number })).number).toMatchObject({ id, number });
    await expect(routing.getNumberByE164({ number: '+4511111111' })).rejects.toEqual(notFound);
    await expect(routing.resolveRoute({ number: '+4511111111' })).rejects.toEqual(notFound);
  });

  it('the routing service lists a company’s numbers, all of them or the requested ones', async () => {
    const [one, two] = [await createNumber(parley, companyId), await createNumber(parley, companyId)];
    const foreign = await createNumber(parley, parley.directory.createCompany().companyId);
    const list = async (ids: string[]) =>
      (await Array.fromAsync(routing.listNumbers({ companyId, ids }))).flatMap((chunk) =>
        chunk.numbers.map(({ id }) => id),
      );
    expect(await list([])).toEqual([one.id, two.id]);
    expect(await list([two.id, foreign.id, 'x'])).toEqual([two.id]);
  });

  it('the routing service returns how a number handles texts at an instant', async () => {
    const { id, number } = await createNumber(parley, companyId);
    const inHours = at('2026-01-05T12:00:00Z');
    const byId = await routing.getTexting({ key: { case: 'id', value: id }, at: inHours });
    expect(byId).toMatchObject({
      number: { id, companyId, active: true, sms: { canSend: true, canReceive: true }, timezone: 'Europe/Copenhagen' },
      settings: { autoReplyEnabled: false, autoReplyCooldownMinutes: 1440 },
      withinBusinessHours: true,
    });
    parley.directory.company(companyId).messagingEnabled = true;
    const change = { businessNumberId: id, autoReplyEnabled: true, autoReplyText: { value: 'Closed' } };
    await parley.as('gateway').client(TextingSettingsService).updateTextingSettings(change, me);
    const byNumber = await routing.getTexting({
      key: { case: 'number', value: number },
      at: at('2026-01-05T20:00:00Z'),
    });
    expect(byNumber).toMatchObject({ settings: { autoReplyText: 'Closed' }, withinBusinessHours: false });
    await expect(routing.getTexting({ key: { case: 'id', value: 'x' } })).rejects.toEqual(notFound);
    await expect(routing.getTexting({})).rejects.toEqual(notFound);
  });

  it('the routing service closes a number to calls and texts on the days of its closures', async () => {
    const closures = parley.as('gateway').client(ClosureService);
    const { id, number } = await createNumber(parley, companyId);
    const { closure } = await closures.createClosure(
      { businessNumberId: id, name: 'Inventory', from: '2026-01-05', to: '2026-01-05' },
      me,
    );
    const noon = at('2026-01-05T12:00:00Z');
    const answers = async () => [
      (await routing.resolveRoute({ number, at: noon })).withinBusinessHours,
      (await routing.getTexting({ key: { case: 'number', value: number }, at: noon })).withinBusinessHours,
    ];
    expect(await answers()).toEqual([false, false]);
    await closures.deleteClosure({ businessNumberId: id, id: closure?.id ?? '' }, me);
    expect(await answers()).toEqual([true, true]);
    const member = withRole(me, 'member');
    expect(await closures.listClosures({ businessNumberId: id }, member)).toMatchObject({ closures: [] });
    const add = { businessNumberId: id, name: 'x', from: '2026-01-05', to: '2026-01-05' };
    await expect(closures.createClosure(add, member)).rejects.toEqual(refusedWith({ code: 'forbidden' }));
    const stranger = parley.directory.createCompany();
    const foreign = asEmployee(stranger.companyId, stranger.ownerId);
    await expect(closures.createClosure(add, foreign)).rejects.toEqual(notFound);
  });

  it('the routing service is for services, not for employees', async () => {
    const asGateway = parley.as('gateway').client(RoutingService);
    await expect(asGateway.getNumber({ id: 'x' }, me)).rejects.toEqual(refusedWith({ code: 'forbidden' }));
    await expect(admin.setRegistration({ id: 'x' }, me)).rejects.toEqual(refusedWith({ code: 'forbidden' }));
  });
});

describe('a forward', () => {
  it('a forward is stored as E.164, and what asks for the key is generated', async () => {
    const { id, number } = await createNumber(parley, companyId);
    await numbers.setIncomingCallConfig({ id, config: forwardTo('20 30 40 50') }, me);
    const { flow } = await routing.resolveRoute({
      number,
      at: { seconds: BigInt(Date.parse('2026-01-05T12:00:00Z') / 1000) },
    });
    const value = { phoneNumber: '+4520304050', timeoutSecs: 30, confirm: true };
    expect(flow?.config).toMatchObject({ case: 'forward', value });
    const { prompt } = await routing.getKeyPrompt({ id });
    expect(prompt).toMatchObject({ text: 'Press 1 to accept a call for Support.', contentHash: expect.any(String) });
    await expect(routing.getKeyPrompt({ id: 'num_unknown' })).rejects.toEqual(notFound);
  });

  it('a forward is refused to a number that the company may not call, to what is no number, and to one of its own', async () => {
    const { id, number } = await createNumber(parley, companyId);
    const foreign = await createNumber(parley, parley.directory.createCompany().companyId);
    const set = (to: string) => numbers.setNoAnswerConfig({ id, config: forwardTo(to) }, me);
    const wrong = (message: string) => refusedWith({ fields: { phone_number: [message] } });
    await expect(set('+881 6 1234 5678')).rejects.toEqual(refusedWith({ code: 'destination_not_allowed' }));
    for (const none of ['112', 'hello', ''])
      await expect(set(none)).rejects.toEqual(wrong('is not a valid phone number'));
    await expect(set(number)).rejects.toEqual(wrong('is a business number of the company'));
    await set(foreign.number);
    const proposal = { incomingCallConfig: forwardTo(number) };
    const explanations = parley.as('gateway').client(RouteExplanationService);
    await expect(explanations.explainRoute({ id, proposal }, me)).rejects.toEqual(
      refusedWith({ fields: { 'incoming_call_config.phone_number': ['is a business number of the company'] } }),
    );
  });
});

describe('an explanation of a route', () => {
  it('an explanation of a route explains which employees would ring, for saved and for proposed routing', async () => {
    const explanations = parley.as('gateway').client(RouteExplanationService);
    const { id } = await createNumber(parley, companyId);
    const busy = parley.directory.addEmployee({ companyId }).id;
    const presence = {
      presences: [
        { employeeId: ownerId, status: PresenceStatus.AVAILABLE },
        { employeeId: busy, status: PresenceStatus.ON_CALL },
      ],
    };
    const at = { seconds: BigInt(Date.parse('2026-01-05T12:00:00Z') / 1000) };
    expect(await explanations.explainRoute({ id, at, presence }, me)).toMatchObject({
      localTime: '2026-01-05T13:00:00+01:00',
      slot: RoutingSlot.INCOMING_CALL,
      employees: [{ id: ownerId, wouldRing: true }],
    });
    const proposal = { incomingCallConfig: transferTo(busy) };
    expect(await explanations.explainRoute({ id, at, proposal, presence }, me)).toMatchObject({
      employees: [{ id: busy, wouldRing: false, reason: 'on_call' }],
    });
    const { view } = await numbers.getBusinessNumber({ id }, me);
    expect(view?.number?.incomingCallConfig?.config).toMatchObject({ value: { employeeIds: [ownerId] } });
  });
});

describe('the queries of business numbers', () => {
  it.each([
    ['by phone number', { number: '+4570000001' }, {}, 'number'],
    ['of a company', { companyId: 'com_x' }, { createdOrder: 1 }, 'company_oldest'],
    ['of an employee', { companyId: 'com_x', targetIds: 'emp_x' }, {}, 'company_targets'],
    ['of an assistant', { companyId: 'com_x', assistantIds: 'ast_x' }, {}, 'company_assistants'],
    ['of a prompt', { promptKeys: 'x' }, {}, 'prompts'],
  ] as const)('the query of business numbers %s has an index', async (_, filter, sort, index) => {
    const plan = await documentQueryPlan(parley.db, 'business_numbers', filter, { sort });
    expect(plan).toMatchObject({ index, isUnindexed: false });
  });
});
