import { describe, expect, it } from '@jest/globals';
import { anOutboundMessage } from '../../test/an-outbound-message.ts';
import type { LiveUpdate } from '../live/live-updates.ts';
import type { ItemFact } from './inbox-item.ts';
import { messageProjection } from './message-projection.ts';

function opened({ failures = 0, showsMessages = true } = {}) {
  const message = anOutboundMessage();
  const applied: ItemFact[] = [];
  const published: LiveUpdate[] = [];
  const asked: string[] = [];
  let failuresLeft = failures;
  const projected = messageProjection({
    projection: {
      async apply(fact) {
        if (failuresLeft-- > 0) throw new Error('the database is away');
        applied.push(fact);
        return true;
      },
    },
    live: { publish: (_companyId, update) => void published.push(update) },
    recent: new Map(),
    messageOf: async (_companyId, id) => (id === message.id ? message : undefined),
    async showsMessages(companyId) {
      asked.push(companyId);
      return showsMessages;
    },
  });
  const run = (stored: boolean, aggregateId = message.id) =>
    projected.show.execute({ kind: 'show', stored }, { aggregateId, companyId: message.companyId, attempt: 1 });
  return { message, projected, applied, published, asked, run };
}

describe('the projection of a text', () => {
  it('is applied once for the request that stored it and for its command', async () => {
    const { message, projected, applied, run } = opened();
    await Promise.all([run(true), projected.store(message)]);
    await projected.store(message);
    expect(applied).toHaveLength(1);
  });

  it('is repeated after it has failed', async () => {
    const { message, projected, applied, run } = opened({ failures: 1 });
    await expect(projected.store(message)).rejects.toThrow('the database is away');
    await run(true);
    expect(applied).toHaveLength(1);
  });

  it('notifies dashboards after it is stored and after each change of status', async () => {
    const { message, applied, published, run } = opened();
    const update = { type: 'sms_update', id: message.id, phone_number: message.externalNumber };
    await run(true);
    await run(false);
    expect(published).toEqual([update, update]);
    expect(applied).toHaveLength(1);
  });

  it('of a text that was deleted meanwhile does nothing', async () => {
    const { applied, published, run } = opened();
    await run(true, 'msg_other');
    expect([applied, published]).toEqual([[], []]);
  });
});
