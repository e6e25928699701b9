import { describe, expect, it } from '@jest/globals';
import { ada, inbound, transfer } from '../../../test/test-call.ts';
import { queuePositions } from './queue-position.ts';

/** A call that has waited since a second of the same minute. */
function waiting(id: string, second: number, numberId = 'num_1') {
  const { call } = inbound(transfer(ada));
  const queuedAt = new Date(Date.UTC(2026, 2, 2, 10, 0, second));
  return { ...call, id, queuedAt, number: { ...call.number, id: numberId } };
}

describe('positions in a queue', () => {
  it('positions in a queue follow the time callers have waited, in each business number by itself', () => {
    const calls = [waiting('c', 30), waiting('a', 10), waiting('x', 5, 'num_2'), waiting('b', 20)];
    expect([...queuePositions(calls)].toSorted()).toEqual([['a', 1], ['b', 2], ['c', 3], ['x', 1]]); // prettier-ignore
  });

  it('positions in a queue are distinct for callers who began to wait in the same millisecond', () => {
    expect([...queuePositions([waiting('b', 1), waiting('a', 1)])]).toEqual([['a', 1], ['b', 2]]); // prettier-ignore
  });

  it('positions in a queue count a call that rings, and none that has been answered', () => {
    const ringing = inbound(transfer(ada));
    ringing.ring(ada);
    const talking = inbound(transfer(ada));
    talking.answer(talking.ring(ada));
    const first = { ...ringing.call, id: 'first' };
    expect([...queuePositions([first, { ...talking.call, id: 'talking' }, waiting('next', 30)])]).toEqual([
      ['first', 1],
      ['next', 2],
    ]);
  });
});
