import { describe, expect, it } from '@jest/globals';
import {
  MessageAuthorType,
  MessageDirection,
  MessageStatus,
  MessageTextService,
} from '@parley/proto/messaging_inbox/v1/messages_pb';
import { documentQueryPlan, storedDocument } from '@parley/testkit';
import { asEmployee } from '@parley/testkit/service';
import {
  useMessageFixture,
  parley,
  messages,
  replicas,
  companyId,
  employeeId,
  me,
  number,
  aKey,
  customer,
  send,
  sentTo,
  refusedWith,
  waitUntil,
  eventsOf,
  idOf,
} from './message-fixture.ts';

useMessageFixture();

const ordinary = { premiumRate: false, satellite: false };

describe('a text', () => {
  it('a text is submitted once, with our own callback address, and shown with everything about it', async () => {
    const to = customer();
    const { message, replayed } = await send({ to, text: 'Hej 👋' });
    expect(replayed).toBe(false);
    expect(message).toMatchObject({
      companyId,
      businessNumberId: number.id,
      businessNumberName: 'Support',
      direction: MessageDirection.OUTBOUND,
      from: number.number,
      to,
      text: 'Hej 👋',
      author: { type: MessageAuthorType.EMPLOYEE, id: employeeId, name: 'Ada' },
      status: MessageStatus.ACCEPTED,
      smsCount: 1,
      canRetry: false,
    });
    expect(sentTo(to)).toEqual([
      expect.objectContaining({
        from: number.number,
        text: 'Hej 👋',
        webhook_url: 'https://parley.example/webhooks/telnyx/delivery_reports',
        authorization: 'Bearer KEY_test',
      }),
    ]);
    expect((await replicas[1]!.getMessage({ id: message!.id }, me)).message).toEqual(message);
  });

  it('a text asks for the number once', async () => {
    let asked = 0;
    parley.numbers.onGetTexting = async () => void (asked += 1);
    await send();
    parley.numbers.onGetTexting = undefined;
    expect(asked).toBe(1);
  });

  it('a text is encrypted in the database', async () => {
    const text = 'a secret that only the two of us know';
    const { message } = await send({ text });
    await waitUntil('its events to be published', () => eventsOf(message!.id).length >= 2);
    const stored = await storedDocument(parley.db, 'messages', message!.id);
    expect(JSON.stringify(stored)).not.toContain('secret');
  });

  it('a text is in no event; its body is read by its id, by webhooks alone and within the company', async () => {
    const { message } = await send({ text: 'very particular words' });
    const id = message!.id;
    await waitUntil('its events', () => eventsOf(id).length === 2);
    for (const { data } of parley.events) expect(Buffer.from(data).toString()).not.toContain('very particular');
    const texts = (peer: string) => parley.as(peer).client(MessageTextService);
    expect((await texts('webhooks').getMessageText({ companyId, id })).text).toBe('very particular words');
    const missing = refusedWith({ code: 'not_found' });
    await expect(texts('webhooks').getMessageText({ companyId: 'com_other', id })).rejects.toEqual(missing);
    await expect(texts('directory').getMessageText({ companyId, id })).rejects.toThrow();
  });

  it('a text is not found by another company, by an unknown id, and while texting is off', async () => {
    const { message } = await send();
    const other = parley.directory.createCompany({ messagingEnabled: true });
    const notFound = refusedWith({ code: 'not_found' });
    await expect(messages.getMessage({ id: message!.id }, asEmployee(other.companyId, other.ownerId))).rejects.toEqual(
      notFound,
    );
    await expect(messages.getMessage({ id: 'msg_unknown' }, me)).rejects.toEqual(notFound);
    parley.directory.company(companyId).messagingEnabled = false;
    await expect(messages.getMessage({ id: message!.id }, me)).rejects.toEqual(notFound);
    await expect(send()).rejects.toEqual(notFound);
    await expect(messages.retryMessage({ id: message!.id, idempotencyKey: 'a' }, me)).rejects.toEqual(notFound);
    const texts = parley.as('webhooks').client(MessageTextService);
    await expect(texts.getMessageText({ companyId, id: message!.id })).rejects.toEqual(notFound);
  });

  it('a text shows its author while there is one, under the present name', async () => {
    const { message } = await send();
    parley.directory.employee(employeeId).name = 'Ada Lovelace';
    const author = async () => (await messages.getMessage({ id: message!.id }, me)).message?.author;
    expect(await author()).toMatchObject({ id: employeeId, name: 'Ada Lovelace' });
    parley.directory.deleteEmployee(employeeId);
    expect(await author()).toEqual(expect.objectContaining({ type: MessageAuthorType.EMPLOYEE }));
    expect((await author())?.id).toBeUndefined();
    await expect(send()).rejects.toEqual(refusedWith({ code: 'forbidden' }));
  });

  it.each([
    [{ format: 'mms' }, { code: 'unsupported_format' }],
    [{ idempotencyKey: '' }, { code: 'invalid_idempotency_key' }],
    [{ idempotencyKey: 'x'.repeat(129) }, { code: 'invalid_idempotency_key' }],
    [{ to: 'nobody' }, { code: 'validation_failed' }],
    [{ text: '' }, { code: 'validation_failed' }],
    [{ businessNumberId: 'num_unknown' }, { code: 'not_found' }],
  ])('a text with %j is refused before anything happens', async (change, refusal) => {
    const before = parley.provider.requests;
    await expect(send(change)).rejects.toEqual(refusedWith(refusal));
    expect(parley.provider.requests).toBe(before);
  });

  it('a text from a number that cannot send is refused', async () => {
    number.canSend = false;
    await expect(send()).rejects.toEqual(refusedWith({ code: 'sending_unavailable' }));
    number.canSend = true;
    number.active = false;
    await expect(send()).rejects.toEqual(refusedWith({ code: 'sending_unavailable' }));
  });

  it.each([
    ['a premium-rate number', '90 12 34 56'],
    ['a premium-rate number with a digit more', '+4990011234567'],
    ['directory enquiries', '+4911833'],
    ['a personal number', '+447012345678'],
    ['a satellite phone', '+881612345678'],
    ['a country that the company may not reach', '+18765551234'],
  ])('a text to %s is refused', async (_what, to) => {
    parley.directory.company(companyId).destinations = { ...ordinary, countries: ['DK', 'DE', 'GB'] };
    const before = parley.provider.requests;
    await expect(send({ to })).rejects.toEqual(refusedWith({ code: 'destination_not_allowed' }));
    expect(parley.provider.requests).toBe(before);
  });

  it('a text to a destination that the operator has opened is sent', async () => {
    parley.directory.company(companyId).destinations = { countries: ['DE', 'JM'], premiumRate: true, satellite: true };
    for (const to of ['+18765551234', '+881612345678', '+499001123456']) {
      await send({ to });
      expect(sentTo(to)).not.toEqual([]);
    }
  });

  it('a text to a destination that the operator has closed since is replayed and not retried', async () => {
    const [to, idempotencyKey] = ['+491711234567', aKey()];
    const company = parley.directory.company(companyId);
    company.destinations = { ...ordinary, countries: ['DE'] };
    parley.provider.behaviour = 'reject';
    const failed = await send({ to, idempotencyKey }).catch(idOf);
    company.destinations = { ...ordinary, countries: ['DK'] };
    parley.provider.behaviour = 'ok';
    expect(await send({ to, idempotencyKey })).toMatchObject({ message: { id: failed }, replayed: true });
    await expect(messages.retryMessage({ id: failed as string, idempotencyKey: aKey() }, me)).rejects.toEqual(
      refusedWith({ code: 'destination_not_allowed' }),
    );
  });
});

describe('an idempotency key', () => {
  it('an idempotency key sends once, however often and wherever it is repeated at the same time', async () => {
    const to = customer();
    const idempotencyKey = aKey();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => send({ to, idempotencyKey }, me, index % 2)),
    );
    expect(new Set(answers.map(({ message }) => message?.id)).size).toBe(1);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(answers.every(({ message }) => message?.status === MessageStatus.ACCEPTED)).toBe(true);
    expect(sentTo(to)).toHaveLength(1);
  });

  it('an idempotency key counts once against the limit, whatever its repetitions', async () => {
    const idempotencyKey = aKey();
    await Promise.all(Array.from({ length: 40 }, (_, index) => send({ idempotencyKey }, me, index % 2)));
    const others = await Promise.allSettled(Array.from({ length: 40 }, () => send()));
    expect(others.filter(({ status }) => status === 'fulfilled')).toHaveLength(29);
  });

  it.each([
    ['recipient', { to: '+4520304051' }],
    ['text', { text: 'Hello!' }],
  ])('an idempotency key is a conflict with another %s', async (_name, change) => {
    const idempotencyKey = aKey();
    await send({ idempotencyKey });
    await expect(send({ idempotencyKey, ...change })).rejects.toEqual(
      refusedWith({ code: 'idempotency_key_conflict' }),
    );
  });

  it('an idempotency key is a conflict for another employee, and free for another number', async () => {
    const idempotencyKey = aKey();
    const { message } = await send({ idempotencyKey });
    const other = asEmployee(companyId, parley.directory.addEmployee({ companyId }).id);
    await expect(send({ idempotencyKey }, other)).rejects.toEqual(refusedWith({ code: 'idempotency_key_conflict' }));
    const second = parley.numbers.addNumber(companyId);
    const { message: another, replayed } = await send({ idempotencyKey, businessNumberId: second.id });
    expect(replayed).toBe(false);
    expect(another?.id).not.toBe(message?.id);
  });

  it('an idempotency key replays also what failed, and when the number can no longer send', async () => {
    parley.provider.behaviour = 'reject';
    const idempotencyKey = aKey();
    await expect(send({ idempotencyKey })).rejects.toEqual(refusedWith({ code: 'provider_rejected' }));
    number.canSend = false;
    const { message, replayed } = await send({ idempotencyKey });
    expect([message?.status, replayed]).toEqual([MessageStatus.FAILED, true]);
  });
});

describe('the limit of a business number', () => {
  it('the limit of a business number lets exactly 30 of a hundred through that come at once to two replicas', async () => {
    const to = customer();
    const results = await Promise.allSettled(Array.from({ length: 100 }, (_, index) => send({ to }, me, index % 2)));
    const refused = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason);
    expect(refused.map((reason: { refusal?: { code: string } }) => reason.refusal?.code ?? reason)).toEqual(
      Array.from({ length: 70 }, () => 'rate_limited'),
    );
    expect(sentTo(to)).toHaveLength(30);
  });

  it('the limit of a business number does not count what is repeated from an earlier minute', async () => {
    const keys = Array.from({ length: 3 }, aKey);
    for (const idempotencyKey of keys) await send({ idempotencyKey });
    await parley.moveClock(61);
    for (const idempotencyKey of keys) expect(await send({ idempotencyKey })).toMatchObject({ replayed: true });
    const to = customer();
    await Promise.all(Array.from({ length: 30 }, () => send({ to })));
    expect(sentTo(to)).toHaveLength(30);
    await parley.moveClock(0);
  });
});

describe('every query of messages', () => {
  it.each([
    ['by key', { businessNumberId: 'n', keys: 'k', companyId: 'c' }, {}],
    ['by the provider’s id of an incoming one', { providerMessageId: 'p' }, {}],
    ['by the provider’s id', { 'attempts.providerId': 'p' }, {}],
    [
      'without a known id',
      { businessNumberId: 'n', to: 't', unidentified: true, companyId: 'c' },
      { createdAtMicros: 1 },
    ],
    ['of a company', { companyId: 'c', createdAtMicros: { $gte: 0 } }, { createdAtMicros: 1, _id: 1 }],
  ] as [string, object, Record<string, 1>][])(
    'the query %s uses an index and sorts nothing',
    async (_name, filter, sort) => {
      const plan = await documentQueryPlan(parley.db, 'messages', filter, { sort });
      expect(plan).toMatchObject({ index: expect.any(String), isUnindexed: false });
    },
  );
});
