import { expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { CallSchema } from '@parley/proto/call_control/v1/calls_pb';
import { callFact } from './call-fact.ts';

it.each([
  [0, undefined],
  [1, 1],
  [999, 1],
  [60_000, 1],
  [61_000, 2],
])('an answered call of %i ms is rounded up to whole minutes', (durationMs, minutes) => {
  const at = new Date(0);
  const call = create(CallSchema, {
    id: 'call_1',
    startedAt: timestampFromMs(1_000),
    answeredAt: timestampFromMs(2_000),
    endedAt: timestampFromMs(2_000 + durationMs),
    durationSecs: Math.floor(durationMs / 1000),
  });
  const fact = callFact(call, { sequence: 1, readAt: at, storedAt: at });
  expect(fact?.cell.counts['minutesInbound']).toBe(minutes);
});
