import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeMessage, type EventType } from '@parley/events';
import {
  MessageAuthorType,
  MessageDirection,
  MessageService,
  MessageStatus,
  MessageTextService,
} from '@parley/proto/messaging_inbox/v1/messages_pb';
import { ProviderCallbackService } from '@parley/proto/messaging_inbox/v1/provider_callbacks_pb';
import type { RpcClient } from '@parley/rpc';
import { waitUntil as waitFor } from '@parley/testkit';
import { asEmployee, type FakeNumber } from '@parley/testkit/service';
import { startMessagingInbox, type TestMessagingInbox } from './start-messaging-inbox.ts';
import { receivedEvent, reportEvent } from './test-provider.ts';

let parley: TestMessagingInbox;
let messages: RpcClient<typeof MessageService>;
let replicas: RpcClient<typeof MessageService>[];
let callbacks: RpcClient<typeof ProviderCallbackService>[];
beforeAll(async () => {
  parley = await startMessagingInbox();
  replicas = parley.replicas.map((channel) => channel.client(MessageService));
  callbacks = parley.replicas.map((channel) => channel.client(ProviderCallbackService));
  [messages] = replicas as [RpcClient<typeof MessageService>];
}, 60_000);
afterAll(() => parley?.stop());

let companyId: string;
let employeeId: string;
let me: ReturnType<typeof asEmployee>;
let number: FakeNumber;
beforeEach(() => {
  ({ companyId, ownerId: employeeId } = parley.directory.createCompany({ messagingEnabled: true }));
  me = asEmployee(companyId, employeeId);
  number = parley.numbers.addNumber(companyId);
  parley.provider.behaviour = 'ok';
  parley.provider.release();
});

let lastKey = 0;
const aKey = () => `key-${(lastKey += 1)}`;
const customer = () => `+4520${String(Math.floor(Math.random() * 1e6)).padStart(6, '0')}`;
const aRequest = (change: object = {}) => ({
  businessNumberId: number.id,
  to: '+4520304050',
  text: 'Hello',
  format: 'sms',
  idempotencyKey: aKey(),
  ...change,
});
/** The timeout of the gateway. */
const patience = { timeoutMs: 27_000 };
const send = (change: object = {}, as = me, replica = 0) =>
  replicas[replica]!.sendMessage(aRequest(change), { ...as, ...patience });
const sentTo = (to: string) => parley.provider.submitted.filter((one) => one.to === to);
const refusedWith = (refusal: object) => expect.objectContaining({ refusal: expect.objectContaining(refusal) });
const statusOf = async (id: string) => (await messages.getMessage({ id }, me)).message?.status;
const receive = (event: object, replica = 0) => callbacks[replica]!.receiveCallback(parley.provider.callback(event));
const waitUntil = (what: string, condition: () => unknown) => waitFor(async () => condition(), { what });
const idOf = (error: unknown) => (error as { refusal: { extra: { message_id: string } } }).refusal.extra.message_id;
const eventsOf = (id: string) =>
  parley.events
    .filter(({ aggregateId }) => aggregateId === id)
    .map(({ type, data }) => ({
      type,
      message: decodeMessage(type as EventType, data) as { message?: { status: number } },
    }));

describe('a text', () => {
  it('is submitted once, with our own callback address, and shown with everything about it', async () => {
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

  it('is encrypted in the database', async () => {
    const text = 'a secret that only the two of us know';
    const { message } = await send({ text });
    await waitUntil('its events to be published', () => eventsOf(message!.id).length >= 2);
    const stored = await parley.db.collection('messages').findOne({ _id: message!.id as never });
    expect(JSON.stringify(stored)).not.toContain('secret');
  });

  it('is in no event; its body is read by its id, by webhooks alone and within the company', async () => {
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

  it('is not found by another company, by an unknown id, and while texting is off', async () => {
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
  });

  it('shows its author while there is one, under the present name', async () => {
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
  ])('with %j is refused before anything happens', async (change, refusal) => {
    const before = parley.provider.requests;
    await expect(send(change)).rejects.toEqual(refusedWith(refusal));
    expect(parley.provider.requests).toBe(before);
  });

  it('from a number that cannot send is refused', async () => {
    number.canSend = false;
    await expect(send()).rejects.toEqual(refusedWith({ code: 'sending_unavailable' }));
    number.canSend = true;
    number.active = false;
    await expect(send()).rejects.toEqual(refusedWith({ code: 'sending_unavailable' }));
  });
});

describe('an idempotency key', () => {
  it('sends once, however often and wherever it is repeated at the same time', async () => {
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

  it('counts once against the limit, whatever its repetitions', async () => {
    const idempotencyKey = aKey();
    await Promise.all(Array.from({ length: 40 }, (_, index) => send({ idempotencyKey }, me, index % 2)));
    const others = await Promise.allSettled(Array.from({ length: 40 }, () => send()));
    expect(others.filter(({ status }) => status === 'fulfilled')).toHaveLength(29);
  });

  it.each([
    ['recipient', { to: '+4520304051' }],
    ['text', { text: 'Hello!' }],
  ])('is a conflict with another %s', async (_name, change) => {
    const idempotencyKey = aKey();
    await send({ idempotencyKey });
    await expect(send({ idempotencyKey, ...change })).rejects.toEqual(
      refusedWith({ code: 'idempotency_key_conflict' }),
    );
  });

  it('is a conflict for another employee, and free for another number', async () => {
    const idempotencyKey = aKey();
    const { message } = await send({ idempotencyKey });
    const other = asEmployee(companyId, parley.directory.addEmployee({ companyId }).id);
    await expect(send({ idempotencyKey }, other)).rejects.toEqual(refusedWith({ code: 'idempotency_key_conflict' }));
    const second = parley.numbers.addNumber(companyId);
    const { message: another, replayed } = await send({ idempotencyKey, businessNumberId: second.id });
    expect(replayed).toBe(false);
    expect(another?.id).not.toBe(message?.id);
  });

  it('replays also what failed, and when the number can no longer send', async () => {
    parley.provider.behaviour = 'reject';
    const idempotencyKey = aKey();
    await expect(send({ idempotencyKey })).rejects.toEqual(refusedWith({ code: 'provider_rejected' }));
    number.canSend = false;
    const { message, replayed } = await send({ idempotencyKey });
    expect([message?.status, replayed]).toEqual([MessageStatus.FAILED, true]);
  });
});

describe('the limit of a business number', () => {
  it('lets exactly 30 of a hundred through that come at once to two replicas', async () => {
    const to = customer();
    const results = await Promise.allSettled(Array.from({ length: 100 }, (_, index) => send({ to }, me, index % 2)));
    const refused = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason);
    expect(refused.map((reason: { refusal?: { code: string } }) => reason.refusal?.code ?? reason)).toEqual(
      Array.from({ length: 70 }, () => 'rate_limited'),
    );
    expect(sentTo(to)).toHaveLength(30);
  });
});

describe('what the provider does', () => {
  it.each([
    ['reject', 'provider_rejected', MessageStatus.FAILED, 'telnyx_40300', true],
    ['error', 'provider_unavailable', MessageStatus.UNKNOWN, undefined, false],
    ['lost', 'provider_unavailable', MessageStatus.UNKNOWN, undefined, false],
  ] as const)('%s: %s', async (behaviour, code, status, failureCode, canRetry) => {
    parley.provider.behaviour = behaviour;
    const before = parley.provider.requests;
    const error = await send().catch((reason: unknown) => reason);
    expect(error).toEqual(refusedWith({ code }));
    const { message } = await messages.getMessage({ id: idOf(error) }, me);
    expect(message).toMatchObject({ status, canRetry });
    expect(message?.failureCode).toBe(failureCode);
    expect(parley.provider.requests).toBe(before + 1);
  });

  it('never answering: the outcome is unknown', async () => {
    parley.provider.behaviour = 'hold';
    const error = await send().catch((reason: unknown) => reason);
    expect(error).toEqual(refusedWith({ code: 'provider_unavailable' }));
    expect(await statusOf(idOf(error))).toBe(MessageStatus.UNKNOWN);
  });

  it('a report resolves a text whose response was lost, and nothing is sent again', async () => {
    parley.provider.behaviour = 'lost';
    const to = customer();
    const error = await send({ to }).catch((reason: unknown) => reason);
    await receive(reportEvent(sentTo(to)[0]!, 'delivered'));
    expect(await statusOf(idOf(error))).toBe(MessageStatus.DELIVERED);
    expect(sentTo(to)).toHaveLength(1);
  });

  it('reports in any order and repeated over both replicas never move a text back', async () => {
    const to = customer();
    const { message } = await send({ to });
    const [submitted] = sentTo(to);
    const words = ['sent', 'delivered', 'sent', 'delivery_failed', 'delivered', 'delivery_unconfirmed'];
    await receive(reportEvent(submitted!, 'delivered'));
    await Promise.all(words.map((word, index) => receive(reportEvent(submitted!, word), index % 2)));
    const shown = (await messages.getMessage({ id: message!.id }, me)).message;
    expect(shown).toMatchObject({ status: MessageStatus.DELIVERED, canRetry: false });
    expect(shown?.deliveredAt).toBeDefined();
    await waitUntil('its events', () => eventsOf(message!.id).length === 3);
    expect(eventsOf(message!.id).map(({ message: { message: one } }) => one?.status)).toEqual([
      MessageStatus.QUEUED,
      MessageStatus.ACCEPTED,
      MessageStatus.DELIVERED,
    ]);
  });
});

describe('a retry', () => {
  const failed = async (to = customer()) => {
    parley.provider.behaviour = 'reject';
    const error = await send({ to }).catch((reason: unknown) => reason);
    parley.provider.behaviour = 'ok';
    return { id: idOf(error), to };
  };
  const retry = (id: string, idempotencyKey = aKey(), as = me, replica = 0) =>
    replicas[replica]!.retryMessage({ id, idempotencyKey }, { ...as, ...patience });

  it('sends a failed text again under its id, once for each key', async () => {
    const { id, to } = await failed();
    const idempotencyKey = aKey();
    const { message, replayed } = await retry(id, idempotencyKey);
    expect([message?.id, message?.status, message?.canRetry, replayed]).toEqual([
      id,
      MessageStatus.ACCEPTED,
      false,
      false,
    ]);
    expect((await retry(id, idempotencyKey)).replayed).toBe(true);
    expect(sentTo(to)).toHaveLength(1);
    await expect(retry(id)).rejects.toEqual(refusedWith({ code: 'not_retryable' }));
  });

  it('with different keys at the same time is one', async () => {
    const { id, to } = await failed();
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => retry(id, aKey(), me, index % 2)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(sentTo(to)).toHaveLength(1);
  });

  it('that fails can be followed by another', async () => {
    const { id, to } = await failed();
    parley.provider.behaviour = 'reject';
    await expect(retry(id)).rejects.toEqual(refusedWith({ code: 'provider_rejected', extra: { message_id: id } }));
    parley.provider.behaviour = 'ok';
    expect((await retry(id)).message?.status).toBe(MessageStatus.ACCEPTED);
    expect(sentTo(to)).toHaveLength(1);
  });

  it.each(['', 'x'.repeat(129)])('without a valid key (%#) is a conflict', async (key) => {
    const { id } = await failed();
    await expect(retry(id, key)).rejects.toEqual(refusedWith({ code: 'invalid_idempotency_key' }));
  });

  it('with a key that was used for another text is a conflict', async () => {
    const idempotencyKey = aKey();
    await send({ idempotencyKey });
    const { id } = await failed();
    await expect(retry(id, idempotencyKey)).rejects.toEqual(refusedWith({ code: 'idempotency_key_conflict' }));
  });

  it('needs a number that can send, and shares its limit', async () => {
    const { id } = await failed();
    number.canSend = false;
    expect((await messages.getMessage({ id }, me)).message?.canRetry).toBe(false);
    await expect(retry(id)).rejects.toEqual(refusedWith({ code: 'sending_unavailable' }));
    number.canSend = true;
    expect((await messages.getMessage({ id }, me)).message?.canRetry).toBe(true);
    await Promise.all(Array.from({ length: 29 }, () => send()));
    await expect(retry(id)).rejects.toEqual(refusedWith({ code: 'rate_limited' }));
  });
});

describe('an incoming text', () => {
  const incoming = (change: object = {}) =>
    receivedEvent({ from: customer(), to: number.number, text: 'Hi', ...change });
  const stored = async () => {
    const found = await parley.db.collection<{ _id: string }>('messages').find({ companyId }).toArray();
    parley.directory.company(companyId).messagingEnabled = true;
    const read = await Promise.all(found.map(({ _id }) => messages.getMessage({ id: _id }, me)));
    return read.flatMap(({ message }) => message ?? []);
  };

  it('is stored once, however often and wherever its callback comes', async () => {
    const from = customer();
    const event = incoming({ from, text: 'Hello?' });
    await Promise.all(Array.from({ length: 20 }, (_, index) => receive(event, index % 2)));
    await receive(event);
    const found = await stored();
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({
      direction: MessageDirection.INBOUND,
      from,
      to: number.number,
      text: 'Hello?',
      author: { type: MessageAuthorType.CUSTOMER },
      status: MessageStatus.RECEIVED,
      encoding: 'gsm7',
    });
    await expect(messages.retryMessage({ id: found[0]!.id, idempotencyKey: 'a' }, me)).rejects.toEqual(
      refusedWith({ code: 'not_retryable' }),
    );
  });

  it('is stored while texting is off for the company', async () => {
    parley.directory.company(companyId).messagingEnabled = false;
    await receive(incoming());
    expect(await stored()).toHaveLength(1);
  });

  it.each([
    ['an inactive number', { active: false }],
    ['a number that does not receive', { canReceive: false }],
  ])('to %s is refused and leaves nothing behind', async (_name, change) => {
    const event = incoming();
    Object.assign(number, change);
    await expect(receive(event)).rejects.toEqual(refusedWith({ code: 'not_found' }));
    expect(await stored()).toEqual([]);
    Object.assign(number, { active: true, canReceive: true });
    await receive(event);
    expect(await stored()).toHaveLength(1);
  });

  it('to an unknown number is refused', async () => {
    await expect(receive(incoming({ to: '+4599999999' }))).rejects.toEqual(refusedWith({ code: 'not_found' }));
  });

  it('without a good signature, or with an old one, is refused and not stored', async () => {
    const good = parley.provider.callback(incoming());
    const old = parley.provider.callback(incoming(), new Date(Date.now() - 301_000));
    for (const bad of [{ ...good, signature: '' }, { ...good, rawBody: Buffer.from('{}') }, old])
      await expect(callbacks[0]!.receiveCallback(bad)).rejects.toEqual(refusedWith({ code: 'unauthenticated' }));
    expect(await stored()).toEqual([]);
  });

  it('STOP ends texts to that person until START; each is confirmed once', async () => {
    const from = customer();
    await receive(incoming({ from, text: 'Stop' }));
    await expect(send({ to: from })).rejects.toEqual(refusedWith({ code: 'recipient_opted_out' }));
    await send({ to: customer() });
    const second = parley.numbers.addNumber(companyId);
    await send({ to: from, businessNumberId: second.id });
    await waitUntil('the confirmation', () => sentTo(from).some(({ text }) => /unsubscribed/.test(text)));
    await receive(incoming({ from, text: 'START' }), 1);
    await send({ to: from, text: 'Welcome back' });
    await waitUntil('the other confirmation', () => sentTo(from).some(({ text }) => /again/.test(text)));
    await receive(incoming({ from, text: 'help' }));
    await waitUntil('the help', () => sentTo(from).length === 5);
    const automatic = (await stored()).filter(({ author }) => author?.type === MessageAuthorType.AUTOMATION);
    expect(automatic.map(({ author }) => author?.name)).toEqual(['Auto-reply', 'Auto-reply', 'Auto-reply']);
  });

  it('STOP is not confirmed by a number that cannot send', async () => {
    number.canSend = false;
    const from = customer();
    await receive(incoming({ from, text: 'STOP' }));
    await waitUntil('its command to be done', async () =>
      parley.db.collection('messages').findOne({ from, '_commands.0': { $exists: false } }),
    );
    expect(sentTo(from)).toEqual([]);
  });

  it('outside business hours gets one reply within the cooldown, however many come at once', async () => {
    Object.assign(number, { withinBusinessHours: false, autoReplyText: 'We are closed' });
    const from = customer();
    await Promise.all(Array.from({ length: 20 }, (_, index) => receive(incoming({ from }), index % 2)));
    await waitUntil('every command to be done', async () => {
      const open = await parley.db.collection('messages').countDocuments({ from, '_commands.0': { $exists: true } });
      return open === 0;
    });
    await waitUntil('the reply', () => sentTo(from).length > 0);
    expect(sentTo(from).map(({ text }) => text)).toEqual(['We are closed']);
  });

  it('in a flood of a thousand callbacks, repeated up to twenty times each, is stored and replied to once', async () => {
    Object.assign(number, { withinBusinessHours: false, autoReplyText: 'We are closed' });
    const first = Math.floor(Math.random() * 900_000);
    const senders = Array.from({ length: 100 }, (_, index) => `+4521${String(first + index).padStart(6, '0')}`);
    const events = senders.map((from) => incoming({ from }));
    const calls = events.flatMap((event, index) => Array.from({ length: (index % 20) + 1 }, () => event));
    const shuffled = calls.toSorted(() => Math.random() - 0.5);
    expect(shuffled.length).toBeGreaterThan(1000);
    await Promise.all(
      shuffled.map((event, index) =>
        callbacks[index % 2]!.receiveCallback(parley.provider.callback(event), { timeoutMs: 60_000 }),
      ),
    );
    await waitUntil('every command to be done', async () => {
      const open = { companyId, '_commands.0': { $exists: true } };
      return (await parley.db.collection('messages').countDocuments(open)) === 0;
    });
    const found = await stored();
    expect(found.filter(({ direction }) => direction === MessageDirection.INBOUND)).toHaveLength(100);
    const replies = senders.map((from) => sentTo(from).length);
    // The automation of a number has a limit of 30 a minute.
    expect(replies.toSorted()).toEqual([
      ...Array.from({ length: 70 }, () => 0),
      ...Array.from({ length: 30 }, () => 1),
    ]);
  }, 120_000);

  it('gets no reply when the number has opened again before the reply is made', async () => {
    Object.assign(number, { withinBusinessHours: false, autoReplyText: 'We are closed' });
    const from = customer();
    let asked = 0;
    parley.numbers.onGetTexting = async () => {
      if (++asked > 1) number.withinBusinessHours = true;
    };
    await receive(incoming({ from }));
    await waitUntil('its command to be done', async () =>
      parley.db.collection('messages').findOne({ from, '_commands.0': { $exists: false } }),
    );
    parley.numbers.onGetTexting = undefined;
    expect(asked).toBeGreaterThan(1);
    expect(sentTo(from)).toEqual([]);
  });

  it.each([
    ['within business hours', { withinBusinessHours: true, autoReplyText: 'We are closed' }],
    ['while auto-reply is off', { withinBusinessHours: false, autoReplyText: null }],
  ])('%s gets no reply', async (_name, change) => {
    Object.assign(number, change);
    const from = customer();
    await receive(incoming({ from }));
    const found = await parley.db.collection('messages').findOne({ from });
    expect(found?._commands ?? []).toEqual([]);
  });
});

describe('every query of messages', () => {
  it.each([
    ['by key', { businessNumberId: 'n', keys: 'k', companyId: 'c', _deleted: false }, {}],
    ['by the provider’s id of an incoming one', { providerMessageId: 'p', _deleted: false }, {}],
    ['by the provider’s id', { 'attempts.providerId': 'p', _deleted: false }, {}],
    [
      'without a known id',
      { businessNumberId: 'n', to: 't', unidentified: true, companyId: 'c', _deleted: false },
      { createdAtMicros: 1 },
    ],
    ['of a company', { companyId: 'c', createdAtMicros: { $gte: 0 }, _deleted: false }, { createdAtMicros: 1, _id: 1 }],
  ] as [string, object, Record<string, 1>][])('%s uses an index and sorts nothing', async (_name, filter, sort) => {
    const { queryPlanner } = await parley.db.collection('messages').find(filter).sort(sort).explain('queryPlanner');
    const plan = JSON.stringify(queryPlanner.winningPlan);
    expect(plan).toContain('IXSCAN');
    expect(plan).not.toMatch(/COLLSCAN|"SORT"/);
  });
});
