import { fromBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@parley/secrets';
import { NumberUpdatedSchema, RegistrationRejectedSchema } from '@parley/proto/numbers_routing/v1/number_events_pb';
import { RegistrationStatus } from '@parley/proto/numbers_routing/v1/numbers_pb';
import { RoutingService, RoutingSlot } from '@parley/proto/numbers_routing/v1/routing_pb';
import { TextingSettingsService } from '@parley/proto/numbers_routing/v1/texting_settings_pb';
import { waitUntil } from '@parley/testkit';
import { asEmployee, asOperator } from '@parley/testkit/service';
import { menuTo, reject, transferTo, voicemail } from './flow-messages.ts';
import { createNumber, numberRequest } from './create-number.ts';
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

describe('a number the operator adds', () => {
  it('a number the operator adds rings the owner by default', async () => {
    const number = await createNumber(parley, companyId);
    expect(number).toMatchObject({ companyId, active: true, numberFormatted: expect.stringMatching(/^\+45 70/) });
    expect(number.incomingCallConfig?.config).toMatchObject({ case: 'transfer', value: { employeeIds: [ownerId] } });
    expect(number.outsideBusinessHoursConfig?.config.case).toBe('voicemail');
  });

  it('a number the operator adds belongs to one company only', async () => {
    const request = numberRequest(companyId);
    await admin.createBusinessNumber(request, asOperator);
    const other = parley.directory.createCompany();
    await expect(
      admin.createBusinessNumber({ ...numberRequest(other.companyId), number: request.number }, asOperator),
    ).rejects.toEqual(refusedWith({ fields: { number: ['has already been taken'] } }));
  });

  it('a number the operator adds needs a company that is there to stay', async () => {
    await expect(admin.createBusinessNumber(numberRequest(newId('com')), asOperator)).rejects.toEqual(notFound);
    parley.directory.company(companyId).beingDeleted = true;
    await expect(admin.createBusinessNumber(numberRequest(companyId), asOperator)).rejects.toMatchObject({
      refusal: { code: 'deletion_in_progress' },
    });
  });

  it('a number the operator adds is refused with every wrong field, those of its routing below it', async () => {
    const { ownerId: foreignId } = parley.directory.createCompany();
    const incomingCallConfig = transferTo(foreignId);
    const request = { ...numberRequest(companyId), number: '123', name: 'Å', timezone: '', incomingCallConfig };
    await expect(admin.createBusinessNumber(request, asOperator)).rejects.toEqual(
      refusedWith({
        fields: {
          number: ['is not a valid phone number'],
          name: [expect.any(String)],
          timezone: [expect.any(String)],
          'incoming_call_config.employee_ids[0]': ['is not an employee of the company'],
        },
      }),
    );
  });

  it('a number the operator adds is read by the company’s country when it is national', async () => {
    const { view } = await admin.createBusinessNumber(
      { ...numberRequest(companyId), number: '33 12 34 56' },
      asOperator,
    );
    expect(view?.number?.number).toBe('+4533123456');
  });
});

describe('the company', () => {
  it('the company lists its own numbers in the order they were added, and no others', async () => {
    const mine = [await createNumber(parley, companyId), await createNumber(parley, companyId)];
    await createNumber(parley, parley.directory.createCompany().companyId);
    const listed = await numbers.listBusinessNumbers({}, me);
    expect(listed.numbers.map(({ id }) => id)).toEqual(mine.map(({ id }) => id));
  });

  it('the company gets the same response for a foreign number as for an unknown one', async () => {
    const foreign = await createNumber(parley, parley.directory.createCompany().companyId);
    for (const id of [foreign.id, newId('num'), 'x', '']) {
      await expect(numbers.getBusinessNumber({ id }, me)).rejects.toEqual(notFound);
      await expect(numbers.updateBusinessNumber({ id, name: 'Mine' }, me)).rejects.toEqual(notFound);
      await expect(numbers.setIncomingCallConfig({ id, config: reject('x') }, me)).rejects.toEqual(notFound);
      await expect(numbers.checkCallTargets({ id, employeeIds: [ownerId] }, me)).rejects.toEqual(notFound);
    }
  });

  it('the company sees the messaging flag as it is at that moment', async () => {
    const { id } = await createNumber(parley, companyId);
    const flag = async () => (await numbers.getBusinessNumber({ id }, me)).view?.companyMessagingEnabled;
    expect(await flag()).toBe(false);
    parley.directory.company(companyId).messagingEnabled = true;
    expect(await flag()).toBe(true);
  });

  it('the company’s number stays as it is when a change is refused because directory does not know the company', async () => {
    const { id, name } = await createNumber(parley, companyId);
    parley.directory.deleteCompany(companyId);
    await expect(numbers.updateBusinessNumber({ id, name: 'Other' }, me)).rejects.toEqual(notFound);
    await expect(numbers.setNoAnswerConfig({ id, config: voicemail('Please call again.') }, me)).rejects.toEqual(
      notFound,
    );
    await expect(admin.updateBusinessNumberByOperator({ id, active: false }, asOperator)).rejects.toEqual(notFound);
    const stored = parley.db.collection<{ _id: string }>('business_numbers');
    expect(await stored.findOne({ _id: id })).toMatchObject({ name, active: true, noAnswerConfig: null });
  });

  it('the company loses nothing when it changes all slots and settings at once', async () => {
    const { id } = await createNumber(parley, companyId);
    const flow = (greeting: string) => ({ id, config: voicemail(greeting) });
    await Promise.all([
      numbers.setIncomingCallConfig(flow('in'), me),
      numbers.setOutsideBusinessHoursConfig(flow('out'), me),
      numbers.setNoAnswerConfig(flow('none'), me),
      numbers.updateBusinessNumber({ id, name: 'All' }, me),
      admin.updateBusinessNumberByOperator({ id, smsCanSend: false }, asOperator),
    ]);
    const { view } = await numbers.getBusinessNumber({ id }, me);
    const greeting = (text: string) => ({ config: { case: 'voicemail', value: { greeting: { text } } } });
    expect(view?.number).toMatchObject({
      name: 'All',
      sms: { canSend: false, canReceive: true },
      incomingCallConfig: greeting('in'),
      outsideBusinessHoursConfig: greeting('out'),
      noAnswerConfig: greeting('none'),
    });
  });
});

describe('employees named in a config', () => {
  it('employees named in a config must be the company’s own and not about to leave', async () => {
    const { id } = await createNumber(parley, companyId);
    const [leaving, foreign] = [
      parley.directory.addEmployee({ companyId }).id,
      parley.directory.createCompany().ownerId,
    ];
    parley.directory.employee(leaving).leaving = true;
    const wrong = [foreign, newId('emp'), 'x', leaving];
    await expect(numbers.setNoAnswerConfig({ id, config: transferTo(ownerId, ...wrong) }, me)).rejects.toEqual(
      refusedWith({
        fields: Object.fromEntries(
          wrong.map((_, index) => [`employee_ids[${index + 1}]`, ['is not an employee of the company']]),
        ),
      }),
    );
    expect((await numbers.getBusinessNumber({ id }, me)).view?.number?.noAnswerConfig).toBeUndefined();
    const checked = await numbers.checkCallTargets({ id, employeeIds: [ownerId, ...wrong] }, me);
    expect(checked.unknownEmployeeIds).toEqual(wrong);
  });

  it('employees named in a config count as in use from before they are checked until long after', async () => {
    const { id } = await createNumber(parley, companyId);
    const hired = parley.directory.addEmployee({ companyId }).id;
    const directory = parley.as('directory').client(RoutingService);
    const targeting = async () => (await directory.listNumbersTargeting({ companyId, employeeId: hired })).numbers;
    let during: Awaited<ReturnType<typeof targeting>> = [];
    parley.directory.onCheck = async () => void (during = await targeting());
    expect(await targeting()).toEqual([]);
    await numbers.setNoAnswerConfig({ id, config: transferTo(hired) }, me);
    expect(during).toMatchObject([{ id, name: 'Support', assignmentPending: true, inUseBy: [] }]);
    expect(await targeting()).toMatchObject([
      {
        id,
        name: 'Support',
        assignmentPending: false,
        inUseBy: [RoutingSlot.NO_ANSWER],
        incomingCallEmployeeIds: [ownerId],
      },
    ]);
  });

  it('employees named in a config stop counting when the config is refused', async () => {
    const { id } = await createNumber(parley, companyId);
    const hired = parley.directory.addEmployee({ companyId }).id;
    await expect(numbers.setNoAnswerConfig({ id, config: transferTo(hired, 'x') }, me)).rejects.toThrow();
    const { numbers: targeting } = await routing.listNumbersTargeting({ companyId, employeeId: hired });
    expect(targeting).toEqual([]);
  });

  it('employees named in a config count for menu branches of the incoming config too', async () => {
    const { id } = await createNumber(parley, companyId);
    const [one, two] = [parley.directory.addEmployee({ companyId }).id, parley.directory.addEmployee({ companyId }).id];
    await numbers.setIncomingCallConfig({ id, config: menuTo(one, two) }, me);
    const { numbers: targeting } = await routing.listNumbersTargeting({ companyId, employeeId: two });
    expect(targeting).toMatchObject([{ incomingCallEmployeeIds: [one, two], inUseBy: [RoutingSlot.INCOMING_CALL] }]);
    const { numbers: none } = await routing.listNumbersTargeting({ companyId, employeeId: ownerId });
    expect(none).toEqual([]);
    await admin.updateBusinessNumberByOperator({ id, active: false }, asOperator);
    const { numbers: inactive } = await routing.listNumbersTargeting({ companyId, employeeId: two });
    expect(inactive).toMatchObject([{ incomingCallEmployeeIds: [], inUseBy: [RoutingSlot.INCOMING_CALL] }]);
  });
});

describe('events', () => {
  const of = (id: string) => parley.events.filter(({ aggregateId }) => aggregateId === id);

  it('events report every change, in order, with the number’s settings and the changed fields', async () => {
    const { id } = await createNumber(parley, companyId);
    await numbers.updateBusinessNumber({ id, name: 'Renamed' }, me);
    await numbers.updateBusinessNumber({ id, name: 'Renamed' }, me);
    await admin.updateBusinessNumberByOperator({ id, active: false }, asOperator);
    await waitUntil(() => of(id).length === 3, { what: 'three events' });
    expect(of(id).map(({ type, aggregateSequence }) => [type, aggregateSequence])).toEqual([
      ['numbers-routing.number.created', 1],
      ['numbers-routing.number.updated', 2],
      ['numbers-routing.number.updated', 3],
    ]);
    const { number, changedFields } = fromBinary(NumberUpdatedSchema, of(id)[2]?.data ?? new Uint8Array());
    expect(number).toMatchObject({ id, companyId, name: 'Renamed', active: false });
    expect(number?.businessHours).toHaveLength(7);
    expect(changedFields).toEqual(['active']);
  });

  it('events stay small however long the prompts are', async () => {
    const { id } = await createNumber(parley, companyId);
    await numbers.setIncomingCallConfig({ id, config: voicemail('x'.repeat(10_000)) }, me);
    await waitUntil(() => of(id).length === 2, { what: 'two events' });
    const data = of(id)[1]?.data ?? new Uint8Array();
    expect(fromBinary(NumberUpdatedSchema, data).changedFields).toEqual(['incoming_call_config']);
    expect(data.length).toBeLessThan(1000);
  });

  it('events report each rejection once, with its reason', async () => {
    const request = { ...numberRequest(companyId), registrationStatus: RegistrationStatus.PENDING };
    const { view } = await admin.createBusinessNumber(request, asOperator);
    const id = view?.number?.id ?? '';
    const move = (status: RegistrationStatus, reason?: string) =>
      admin.setRegistration({ id, status, reason }, asOperator);
    await expect(move(RegistrationStatus.APPROVED)).rejects.toEqual(refusedWith({ code: 'invalid_transition' }));
    for (const reason of ['First', 'Second']) {
      await move(RegistrationStatus.SUBMITTED);
      await move(RegistrationStatus.REJECTED, reason);
      await move(RegistrationStatus.PENDING);
    }
    const rejections = () => of(id).filter(({ type }) => type === 'numbers-routing.registration.rejected');
    await waitUntil(() => of(id).length >= 9, { what: 'all events' });
    expect(rejections().map(({ data }) => fromBinary(RegistrationRejectedSchema, data).reason)).toEqual([
      'First',
      'Second',
    ]);
  });
});

describe('texting settings', () => {
  it('texting settings are not there while texting is off, and defaults that leave no trace once it is on', async () => {
    const settings = parley.as('gateway').client(TextingSettingsService);
    const { id: businessNumberId } = await createNumber(parley, companyId);
    await expect(settings.getTextingSettings({ businessNumberId }, me)).rejects.toEqual(notFound);
    await expect(settings.updateTextingSettings({ businessNumberId }, me)).rejects.toEqual(notFound);
    parley.directory.company(companyId).messagingEnabled = true;
    expect((await settings.getTextingSettings({ businessNumberId }, me)).settings).toMatchObject({
      autoReplyEnabled: false,
      autoReplyCooldownMinutes: 1440,
    });
    const stored = () => parley.db.collection<{ _id: string }>('business_numbers').findOne({ _id: businessNumberId });
    expect(await stored()).toMatchObject({ textingSettings: null });
    const change = { businessNumberId, autoReplyEnabled: true, autoReplyText: { value: 'Closed' } };
    expect((await settings.updateTextingSettings(change, me)).settings).toMatchObject({ autoReplyText: 'Closed' });
    const former = asEmployee(companyId);
    await expect(settings.updateTextingSettings(change, former)).rejects.toEqual(refusedWith({ code: 'forbidden' }));
  });
});

describe('a number the operator releases', () => {
  const release = (id: string) => admin.releaseBusinessNumber({ id }, asOperator);
  const listed = async (company: string, ids: string[] = []) =>
    (await Array.fromAsync(routing.listNumbers({ companyId: company, ids }))).flatMap((part) => part.numbers);

  it('a number the operator releases takes no calls and texts, and is in no list of its company', async () => {
    const { id, number } = await createNumber(parley, companyId);
    const other = await createNumber(parley, companyId);
    await release(id);
    await expect(routing.resolveRoute({ number })).rejects.toEqual(notFound);
    await expect(routing.getTexting({ key: { case: 'number', value: number } })).rejects.toEqual(notFound);
    await expect(routing.getTexting({ key: { case: 'id', value: id } })).rejects.toEqual(notFound);
    await expect(routing.getNumber({ id })).rejects.toEqual(notFound);
    await expect(numbers.getBusinessNumber({ id }, me)).rejects.toEqual(notFound);
    await expect(numbers.updateBusinessNumber({ id, name: 'Again' }, me)).rejects.toEqual(notFound);
    expect((await numbers.listBusinessNumbers({}, me)).numbers.map((one) => one.id)).toEqual([other.id]);
    expect((await listed(companyId)).map((one) => one.id)).toEqual([other.id]);
    const targeting = await routing.listNumbersTargeting({ companyId, employeeId: ownerId });
    expect(targeting.numbers.map((one) => one.id)).toEqual([other.id]);
    await expect(release(id)).rejects.toEqual(notFound);
  });

  it('a number the operator releases keeps its name for the history of its company, and for nobody else', async () => {
    const { id, name, number } = await createNumber(parley, companyId);
    const other = await createNumber(parley, companyId);
    await release(id);
    expect(await listed(companyId, [id, other.id])).toMatchObject([
      { id: other.id, active: true },
      { id, companyId, name, number, active: false },
    ]);
    expect(await listed(parley.directory.createCompany().companyId, [id])).toEqual([]);
    const stored = await parley.db.collection<{ _id: string }>('released_numbers').findOne({ _id: id });
    expect(Object.keys(stored ?? {}).filter((field) => !field.startsWith('_'))).toEqual(
      expect.not.arrayContaining(['incomingCallConfig', 'promptKeys', 'textingSettings']),
    );
  });

  it('a number the operator releases can be given to another company, which gets it as a new one', async () => {
    const { id, number } = await createNumber(parley, companyId);
    const { view: changed } = await numbers.setIncomingCallConfig({ id, config: reject('Ours') }, me);
    expect(changed?.number?.incomingCallConfig?.config.case).toBe('reject');
    await release(id);
    const next = parley.directory.createCompany();
    const request = { ...numberRequest(next.companyId), number };
    const { view } = await admin.createBusinessNumber(request, asOperator);
    expect(view?.number).toMatchObject({ companyId: next.companyId, number });
    expect(view?.number?.id).not.toBe(id);
    expect((await routing.resolveRoute({ number })).number?.companyId).toBe(next.companyId);
    expect(view?.number?.incomingCallConfig?.config).toMatchObject({ value: { employeeIds: [next.ownerId] } });
  });

  it('a number the operator releases is announced once, with an entry for the audit log, also when it is released twice at once', async () => {
    const { id, name } = await createNumber(parley, companyId);
    const outcomes = await Promise.allSettled([release(id), release(id)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const announced = () => parley.events.filter((event) => event.type === 'numbers-routing.number.released');
    const own = () => announced().filter(({ aggregateId }) => aggregateId === id);
    await waitUntil(async () => own().length > 0, { what: 'the event' });
    expect(own()).toMatchObject([
      { companyId, audit: { type: 'business_number.released', object: { type: 'business_number', id, name } } },
    ]);
  });
});
