import { describe, expect, it } from '@jest/globals';
import { decided } from '@parley/errors';
import { anOutboundMessage } from '../../test/an-outbound-message.ts';
import type { LiveUpdate } from '../live/live-updates.ts';
import type { MessageDecision } from '../messages/message.ts';
import type { Messages } from '../messages/message-store.ts';
import { messageProjection } from './message-projection.ts';

function opened({ failures = 0, refuses = false } = {}) {
  const message = anOutboundMessage();
  const applied: { id: string; isNew: boolean | undefined }[] = [];
  const found: string[] = [];
  const published: LiveUpdate[] = [];
  let failuresLeft = failures;
  const own = {
    async create() {
      if (refuses) throw new Error('the key was used before');
    },
    getRecent: async (id: string) => (id === message.id ? message : undefined),
  };
  const projected = messageProjection({
    messages: { of: () => own } as unknown as Messages,
    projection: {
      async apply({ id }, isNew) {
        if (failuresLeft-- > 0) throw new Error('the database is away');
        applied.push({ id, isNew });
        return true;
      },
    },
    search: { add: async ({ id }) => void found.push(id) },
    live: { publish: (_companyId, update) => void published.push(update) },
    showsMessages: async () => true,
  });
  const run = ({ stored = true, attempt = 1, aggregateId = message.id } = {}) =>
    projected.show.execute({ kind: 'show', stored }, { aggregateId, companyId: message.companyId, attempt });
  const create = () => projected.create(decided(message) as MessageDecision);
  return { message, create, applied, found, published, run };
}

describe('a text that is stored', () => {
  it('the request to send a text waits until its command has brought the text to the inbox', async () => {
    const { message, create, applied, run } = opened();
    const { shown } = await create();
    expect(applied).toEqual([]);
    await Promise.all([run(), shown]);
    expect(applied).toEqual([{ id: message.id, isNew: true }]);
  });

  it('the request to send a text does not wait for the second attempt after the first has failed', async () => {
    const { create, applied, run } = opened({ failures: 1 });
    const { shown } = await create();
    await expect(run()).rejects.toThrow('the database is away');
    await shown;
    await run({ attempt: 2 });
    expect(applied).toMatchObject([{ isNew: false }]);
  });

  it('a text that could not be stored is not waited for', async () => {
    await expect(opened({ refuses: true }).create()).rejects.toThrow('the key was used before');
  });

  it('dashboards are notified after a text is stored and after each change of its status, and it is found by its words', async () => {
    const { message, applied, found, published, run } = opened();
    const update = { type: 'sms_update', id: message.id, phone_number: message.externalNumber };
    await run();
    await run({ stored: false });
    expect(published).toEqual([update, update]);
    expect([applied.length, found]).toEqual([1, [message.id]]);
  });

  it('a text that was deleted meanwhile is not brought back', async () => {
    const { applied, found, published, run } = opened();
    await run({ aggregateId: 'msg_other' });
    expect([applied, found, published]).toEqual([[], [], []]);
  });
});
