import { describe, expect, it } from '@jest/globals';
import type { Delivery } from '../deliveries/delivery.ts';
import { hasRoom, type Lane, stepOf, type Turn, TURNS_MAX } from './lane.ts';

const turn = (position: number): Turn => ({ delivery: { position } as Delivery, lease: null });
const [a, b] = [turn(20), turn(30)];
const sending = (...turns: Turn[]): Lane => ({ kind: 'sending', hasMore: false, turns });
const closed = (...turns: Turn[]): Lane => ({ kind: 'closed', hasMore: false, turns });
const settled = { kind: 'settled', position: 10, mayHaveSuccessor: false } as const;
const withSuccessor = { kind: 'settled', position: 10, mayHaveSuccessor: true } as const;
const readingNext = (...returned: Turn[]) => ({ lane: closed(), returned, next: 'read' });

describe('a lane that is sent from memory', () => {
  it('a lane that is sent from memory has room for so many deliveries, and none while others wait in the database', () => {
    expect(hasRoom(sending(a), TURNS_MAX - 1)).toBe(true);
    expect(hasRoom(sending(a), TURNS_MAX)).toBe(false);
    expect(hasRoom(stepOf(sending(a), { kind: 'waiting' }).lane, 1)).toBe(false);
    expect(hasRoom(closed(), 1)).toBe(false);
  });

  it('a lane that is sent from memory sends what is stored behind the one that is settled, in its order', () => {
    const { lane } = stepOf(sending(a), { kind: 'stored', turns: [b] });
    expect(stepOf(lane, settled)).toEqual({ lane: sending(b), returned: [], next: a });
  });

  it('the lane is idle when all are settled, and knows the last position', () => {
    const idle = { kind: 'idle', hasMore: false, lastPosition: 10 };
    expect(stepOf(sending(), settled)).toEqual({ lane: idle, returned: [] });
  });

  it('a lane that is sent from memory returns what is in memory before it reads what others have stored', () => {
    expect(stepOf(sending(a, b), withSuccessor)).toEqual(readingNext(a, b));
    const { lane } = stepOf(sending(a), { kind: 'waiting' });
    expect(stepOf(lane, settled)).toEqual(readingNext(a));
  });

  it('a lane that is sent from memory reads the database when the next one was there before', () => {
    expect(stepOf(sending(b), { kind: 'duplicate' })).toEqual(readingNext(b));
  });
});

describe('a lane that is read from the database', () => {
  it('a lane that is read from the database sends what was read one after the other, then reads again', () => {
    const { lane, next } = stepOf(closed(), { kind: 'read', turns: [a, b] });
    expect(next).toBe(a);
    const second = stepOf(lane, withSuccessor);
    expect(second).toEqual({ lane: closed(), returned: [], next: b });
    expect(stepOf(second.lane, withSuccessor)).toEqual(readingNext());
  });

  it('the lane is idle when nothing was read, unless another was stored meanwhile', () => {
    const nothing = { kind: 'read', turns: [] } as const;
    expect(stepOf(closed(), nothing)).toEqual({ lane: { kind: 'idle', hasMore: false }, returned: [] });
    expect(stepOf(stepOf(closed(), { kind: 'waiting' }).lane, nothing)).toEqual(readingNext());
  });

  it('the lane is idle after one that certainly nothing waits for', () => {
    expect(stepOf(closed(), settled).lane).toEqual({ kind: 'idle', hasMore: false, lastPosition: 10 });
  });
});

describe('a lane whose delivery has to be tried later', () => {
  it('a lane whose delivery has to be tried later returns all others, which wait in the database then', () => {
    const idle = { kind: 'idle', hasMore: true };
    expect(stepOf(sending(b), { kind: 'interrupted', unsent: a })).toEqual({ lane: idle, returned: [a, b] });
    expect(stepOf(closed(a), { kind: 'interrupted' })).toEqual({ lane: idle, returned: [a] });
  });

  it('a lane whose delivery has to be tried later says whether another waits in the database', () => {
    expect(stepOf(sending(), { kind: 'interrupted' }).lane.hasMore).toBe(false);
    const { lane } = stepOf(sending(), { kind: 'waiting' });
    expect(stepOf(lane, { kind: 'interrupted' }).lane.hasMore).toBe(true);
  });

  it('a lane whose delivery has to be tried later stays idle whatever happens afterwards', () => {
    const { lane } = stepOf(sending(), { kind: 'interrupted' });
    expect(stepOf(lane, withSuccessor)).toEqual({ lane, returned: [] });
  });
});
