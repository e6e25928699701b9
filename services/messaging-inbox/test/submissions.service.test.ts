import { describe, expect, it } from '@jest/globals';
import { MessageStatus } from '@parley/proto/messaging_inbox/v1/messages_pb';
import { reportEvent } from './test-provider.ts';
import {
  useMessageFixture,
  parley,
  messages,
  replicas,
  me,
  number,
  aKey,
  customer,
  send,
  sentTo,
  refusedWith,
  statusOf,
  receive,
  waitUntil,
  idOf,
  eventsOf,
  options,
} from './message-fixture.ts';

useMessageFixture();

describe('what the provider does', () => {
  it.each([
    ['reject', 'provider_rejected', MessageStatus.FAILED, 'telnyx_40300', true],
    ['error', 'provider_unavailable', MessageStatus.UNKNOWN, undefined, false],
    ['lost', 'provider_unavailable', MessageStatus.UNKNOWN, undefined, false],
  ] as const)(
    'the fault %s of the provider is answered as %s',
    async (behaviour, code, status, failureCode, canRetry) => {
      parley.provider.behaviour = behaviour;
      const before = parley.provider.requests;
      const error = await send().catch((reason: unknown) => reason);
      expect(error).toEqual(refusedWith({ code }));
      const { message } = await messages.getMessage({ id: idOf(error) }, me);
      expect(message).toMatchObject({ status, canRetry });
      expect(message?.failureCode).toBe(failureCode);
      expect(parley.provider.requests).toBe(before + 1);
    },
  );

  it('a provider that never answers leaves the outcome unknown', async () => {
    await parley.restart({ TELNYX_TIMEOUT_MS: '500' });
    parley.provider.behaviour = 'hold';
    const error = await send().catch((reason: unknown) => reason);
    expect(error).toEqual(refusedWith({ code: 'provider_unavailable' }));
    expect(await statusOf(idOf(error))).toBe(MessageStatus.UNKNOWN);
    await parley.restart();
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
    replicas[replica]!.retryMessage({ id, idempotencyKey }, { ...as, ...options });

  it('a retry sends a failed text again under its id, once for each key', async () => {
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

  it('a retry with different keys at the same time is one', async () => {
    const { id, to } = await failed();
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => retry(id, aKey(), me, index % 2)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(sentTo(to)).toHaveLength(1);
  });

  it('a retry with the same key at the same time is one, and the others replay it', async () => {
    const { id, to } = await failed();
    const idempotencyKey = aKey();
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, index) => retry(id, idempotencyKey, me, index % 2)),
    );
    expect(results.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(sentTo(to)).toHaveLength(1);
  });

  it('a retry that fails can be followed by another', async () => {
    const { id, to } = await failed();
    parley.provider.behaviour = 'reject';
    await expect(retry(id)).rejects.toEqual(refusedWith({ code: 'provider_rejected', extra: { message_id: id } }));
    parley.provider.behaviour = 'ok';
    expect((await retry(id)).message?.status).toBe(MessageStatus.ACCEPTED);
    expect(sentTo(to)).toHaveLength(1);
  });

  it.each(['', 'x'.repeat(129)])('a retry without a valid key (%#) is a conflict', async (key) => {
    const { id } = await failed();
    await expect(retry(id, key)).rejects.toEqual(refusedWith({ code: 'invalid_idempotency_key' }));
  });

  it('a retry with a key that was used for another text is a conflict', async () => {
    const idempotencyKey = aKey();
    await send({ idempotencyKey });
    const { id } = await failed();
    await expect(retry(id, idempotencyKey)).rejects.toEqual(refusedWith({ code: 'idempotency_key_conflict' }));
  });

  it('a retry needs a number that can send, and shares its limit', async () => {
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
