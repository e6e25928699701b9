import { describe, expect, it } from '@jest/globals';
import { MessageAuthorType, MessageDirection, MessageStatus } from '@parley/proto/messaging_inbox/v1/messages_pb';
import { countWithCommands, storedEntities } from '@parley/testkit';
import { receivedEvent } from './test-provider.ts';
import {
  useMessageFixture,
  parley,
  messages,
  callbacks,
  companyId,
  me,
  number,
  customer,
  send,
  sentTo,
  refusedWith,
  receive,
  waitUntil,
} from './message-fixture.ts';

useMessageFixture();

describe('an incoming text', () => {
  const incoming = (change: object = {}) =>
    receivedEvent({ from: customer(), to: number.number, text: 'Hi', ...change });
  const openCommands = (filter: object) => countWithCommands(parley.db, 'messages', filter);
  const stored = async () => {
    const found = await storedEntities(parley.db, 'messages', { companyId });
    parley.directory.company(companyId).messagingEnabled = true;
    const read = await Promise.all(found.map(({ id }) => messages.getMessage({ id }, me)));
    return read.flatMap(({ message }) => message ?? []);
  };

  it('an incoming text is stored once, however often and wherever its callback comes', async () => {
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

  it.each([
    ['', '[Billedbesked: billeder og vedhæftede filer modtages ikke.]'],
    ['Se her', 'Se her\n\n[Billedbesked: billeder og vedhæftede filer modtages ikke.]'],
  ])(
    'an incoming text with a picture and the text %j has a note that the picture is not received',
    async (text, shown) => {
      number.language = 'da';
      await receive(incoming({ text, mms: true }));
      expect((await stored()).map((message) => message.text)).toEqual([shown]);
    },
  );

  it('an incoming text with a picture and STOP is an opt-out', async () => {
    const from = customer();
    await receive(incoming({ from, text: 'STOP', mms: true }));
    await waitUntil('the confirmation', () => sentTo(from).some(({ text }) => /unsubscribed/.test(text)));
  });

  it('an incoming text is stored while texting is off for the company', async () => {
    parley.directory.company(companyId).messagingEnabled = false;
    await receive(incoming());
    expect(await stored()).toHaveLength(1);
  });

  it.each([
    ['an inactive number', { active: false }],
    ['a number that does not receive', { canReceive: false }],
  ])('an incoming text to %s is refused and leaves nothing behind', async (_name, change) => {
    const event = incoming();
    Object.assign(number, change);
    await expect(receive(event)).rejects.toEqual(refusedWith({ code: 'not_found' }));
    expect(await stored()).toEqual([]);
    Object.assign(number, { active: true, canReceive: true });
    await receive(event);
    expect(await stored()).toHaveLength(1);
  });

  it('an incoming text to an unknown number is refused', async () => {
    await expect(receive(incoming({ to: '+4599999999' }))).rejects.toEqual(refusedWith({ code: 'not_found' }));
  });

  it('an incoming text without a good signature, or with an old one, is refused and not stored', async () => {
    const good = parley.provider.callback(incoming());
    const old = parley.provider.callback(incoming(), new Date(Date.now() - 301_000));
    for (const bad of [{ ...good, signature: '' }, { ...good, rawBody: Buffer.from('{}') }, old])
      await expect(callbacks[0]!.receiveCallback(bad)).rejects.toEqual(refusedWith({ code: 'unauthenticated' }));
    expect(await stored()).toEqual([]);
  });

  it('STOP ends texts to its sender until START; each is confirmed once', async () => {
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
    await waitUntil('its command to be done', async () => (await openCommands({ from })) === 0);
    expect(sentTo(from)).toEqual([]);
  });

  it.each([
    ['a premium-rate number', '+4590123456'],
    ['a premium-rate number with digits more', '+4990011234567'],
    ['a country that the company may not reach', '+18765551234'],
  ])('STOP of %s ends texts to it, and is neither confirmed nor replied to', async (_what, from) => {
    Object.assign(number, { withinBusinessHours: false, autoReplyText: 'We are closed' });
    parley.directory.company(companyId).destinations = {
      countries: ['DK', 'DE'],
      premiumRate: false,
      satellite: false,
    };
    for (const text of ['Hello', 'HELP', 'STOP']) await receive(incoming({ from, text }));
    await waitUntil('its commands to be done', async () => (await openCommands({ from })) === 0);
    expect(await storedEntities(parley.db, 'messages', { companyId, from })).toHaveLength(3);
    expect(await storedEntities(parley.db, 'opt_outs', { companyId })).toHaveLength(1);
    expect(sentTo(from)).toEqual([]);
  });

  it('an incoming text outside business hours gets one reply within the cooldown, however many come at once', async () => {
    Object.assign(number, { withinBusinessHours: false, autoReplyText: 'We are closed' });
    const from = customer();
    await Promise.all(Array.from({ length: 20 }, (_, index) => receive(incoming({ from }), index % 2)));
    await waitUntil('every command to be done', async () => (await openCommands({ from })) === 0);
    await waitUntil('the reply', () => sentTo(from).length > 0);
    expect(sentTo(from).map(({ text }) => text)).toEqual(['We are closed']);
  });

  it('an incoming text in a flood of a thousand callbacks, repeated up to twenty times each, is stored and replied to once', async () => {
    Object.assign(number, { withinBusinessHours: false, autoReplyText: 'We are closed' });
    const first = Math.floor(Math.random() * 900_000);
    const senders = Array.from({ length: 100 }, (_, index) => `+4521${String(first + index).padStart(6, '0')}`);
    const events = senders.map((from) => incoming({ from }));
    const calls = events.flatMap((event, index) => Array.from({ length: (index % 20) + 1 }, () => event));
    const shuffled = calls.toSorted(() => Math.random() - 0.5);
    expect(shuffled.length).toBeGreaterThan(1000);
    const started = performance.now();
    await Promise.all(
      shuffled.map((event, index) =>
        callbacks[index % 2]!.receiveCallback(parley.provider.callback(event), { timeoutMs: 60_000 }),
      ),
    );
    await waitUntil('every command to be done', async () => (await openCommands({ companyId })) === 0);
    const found = await stored();
    expect(found.filter(({ direction }) => direction === MessageDirection.INBOUND)).toHaveLength(100);
    const replies = senders.map((from) => sentTo(from).length);
    expect(Math.max(...replies)).toBe(1);
    // The automation of a number has a limit of 30 a minute; a busy machine may need more than one.
    const minutes = Math.ceil((performance.now() - started) / 60_000);
    const replied = replies.filter((count) => count === 1).length;
    expect(replied).toBeGreaterThanOrEqual(30);
    expect(replied).toBeLessThanOrEqual(30 * minutes);
  }, 120_000);

  it('an incoming text gets no reply when the number has opened again before the reply is made', async () => {
    Object.assign(number, { withinBusinessHours: false, autoReplyText: 'We are closed' });
    const from = customer();
    let asked = 0;
    parley.numbers.onGetTexting = async () => {
      if (++asked > 1) number.withinBusinessHours = true;
    };
    await receive(incoming({ from }));
    await waitUntil('its command to be done', async () => (await openCommands({ from })) === 0);
    parley.numbers.onGetTexting = undefined;
    expect(asked).toBeGreaterThan(1);
    expect(sentTo(from)).toEqual([]);
  });

  it.each([
    ['within business hours', { withinBusinessHours: true, autoReplyText: 'We are closed' }],
    ['while auto-reply is off', { withinBusinessHours: false, autoReplyText: null }],
  ])('an incoming text %s gets no reply', async (_name, change) => {
    Object.assign(number, change);
    const from = customer();
    await receive(incoming({ from }));
    expect(await storedEntities(parley.db, 'messages', { from })).toHaveLength(1);
    await waitUntil('its commands to be done', async () => (await openCommands({ from })) === 0);
    expect(sentTo(from)).toEqual([]);
  });
});
