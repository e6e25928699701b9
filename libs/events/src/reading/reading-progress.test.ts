import { describe, expect, it } from '@jest/globals';
import { DeliverPolicy } from '@nats-io/jetstream';
import { readingProgress } from './reading-progress.ts';

const at = new Date('2026-03-01T12:00:00Z');
const cursor = { sequence: 10, at, stream: 'created', server: 'one', nouns: ['contact'] };
const found = { created: 'created', server: 'one', firstSequence: 1, lastSequence: 100, usage: 0 };

/** Partitions 1 and 2, the second one never read before. */
function twoPartitions() {
  const progress = readingProgress(['contact']);
  progress.assign([1, 2], { 1: cursor });
  return progress;
}

describe('the progress of reading', () => {
  it('the progress of reading starts with the whole stream for a partition that was never read', () => {
    const start = twoPartitions().startConsumer(found);
    expect(start).toEqual({ config: { deliver_policy: DeliverPolicy.All }, rewound: [], discardedSince: undefined });
  });

  it('the progress of reading continues after the cursor, and says what a full stream has discarded meanwhile', () => {
    const progress = readingProgress(['contact']);
    progress.assign([1], { 1: cursor });
    const config = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: 11 };
    expect(progress.startConsumer(found)).toEqual({ config, rewound: [], discardedSince: undefined });
    expect(progress.startConsumer({ ...found, firstSequence: 50 })).toEqual({
      config,
      rewound: [],
      discardedSince: new Date(at.getTime() - 60_000),
    });
  });

  it('the progress of reading starts with the whole stream for a cursor without one of the nouns', () => {
    const progress = readingProgress(['contact', 'employee']);
    progress.assign([1], { 1: cursor });
    expect(progress.startConsumer(found).config).toEqual({ deliver_policy: DeliverPolicy.All });
  });

  it('the progress of reading has a cursor before the oldest message that is not completed', () => {
    const progress = twoPartitions();
    progress.startConsumer(found);
    progress.setRead(11, at);
    const done = progress.begin(1, 11);
    progress.setRead(12, at);
    expect([progress.cursors()[1]?.sequence, progress.cursors()[2]?.sequence]).toEqual([10, 12]);
    done?.();
    expect(progress.cursors()[1]).toEqual({ ...cursor, sequence: 12 });
  });

  it('the progress of reading begins no message that was read before, nor one of another partition', () => {
    const progress = twoPartitions();
    progress.startConsumer(found);
    expect([progress.begin(1, 10), progress.begin(3, 11)]).toEqual([undefined, undefined]);
  });

  it('the progress of reading goes some minutes back after the server was restarted, and names the partitions with messages in flight', () => {
    const progress = readingProgress(['contact']);
    progress.assign([1, 2], { 1: cursor, 2: cursor });
    progress.startConsumer(found);
    progress.setRead(11, at);
    progress.begin(2, 11);
    const { config, rewound } = progress.startConsumer({ ...found, server: 'two' });
    expect(config).toEqual({ deliver_policy: DeliverPolicy.StartTime, opt_start_time: '2026-03-01T11:55:00.000Z' });
    expect(rewound).toEqual([2]);
    expect(progress.begin(2, 5)).toBeDefined();
  });

  it('the progress of reading goes back when the stream has fewer messages than were read', () => {
    const progress = readingProgress(['contact']);
    progress.assign([1], { 1: cursor });
    expect(progress.startConsumer({ ...found, lastSequence: 9 }).config.deliver_policy).toBe(DeliverPolicy.StartTime);
  });
});
