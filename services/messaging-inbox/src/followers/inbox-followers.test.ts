import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import type { DecodedEvent, EventType } from '@parley/events';
import { CallSchema } from '@parley/proto/call_control/v1/calls_pb';
import { inboxHandlers } from './inbox-followers.ts';

describe('a batch of events of a call', () => {
  const call = create(CallSchema, { id: 'cal_1', companyId: 'com_1', from: '+4520000001', mainNumberId: 'num_1' });
  const decoded = (type: EventType, aggregateSequence: number) =>
    ({
      type,
      message: { call, callId: call.id },
      event: { companyId: 'com_1', aggregateSequence },
    }) as unknown as DecodedEvent;

  /** What is done in the inbox, in its order. */
  async function doneBy(...events: DecodedEvent[]): Promise<unknown[]> {
    const done: unknown[] = [];
    const { handleBatch } = inboxHandlers({
      projection: {
        apply: async ({ sequence }: { sequence: number }, isNew: boolean) => done.push({ sequence, isNew }) > 0,
        remove: async (_companyId: string, id: string) => void done.push({ removed: id }),
      },
      erased: { wasErased: async () => false },
      spoken: { completeCall: async (one: unknown) => ({ call: one }) },
      texts: { seal: () => null },
      live: { publish: () => {} },
    } as unknown as Parameters<typeof inboxHandlers>[0]);
    await handleBatch(events);
    return done;
  }

  it('a batch of events of a call changes its item once: the last one says everything', async () => {
    expect(await doneBy(decoded('call-control.call.initiated', 1), decoded('call-control.call.answered', 2))).toEqual([
      { sequence: 2, isNew: true },
    ]);
  });

  it('a batch of events of a call without the first one is about an item that is there', async () => {
    expect(await doneBy(decoded('call-control.call.answered', 2), decoded('call-control.call.ended', 3))).toEqual([
      { sequence: 3, isNew: false },
    ]);
  });

  it('a batch of events of a call ends with its deletion', async () => {
    expect(await doneBy(decoded('call-control.call.updated', 4), decoded('call-control.call.deleted', 5))).toEqual([
      { sequence: 4, isNew: false },
      { removed: 'cal_1' },
    ]);
  });
});
