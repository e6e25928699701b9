import { beforeEach, describe, expect, it } from '@jest/globals';
import { type EventGate, eventGate } from './event-gate.ts';

let now: Date;
let handled: string[];
let overflows: number;
let gate: EventGate<string>;
const inSecs = (seconds: number) => new Date(now.getTime() + seconds * 1000);

beforeEach(() => {
  now = new Date('2026-03-02T10:00:00Z');
  handled = [];
  overflows = 0;
  gate = eventGate({
    machineClock: { now: () => now },
    handle: (event) => handled.push(event),
    onOverflow: () => (overflows += 1),
  });
  gate.renewed({ until: inSecs(2), term: 1 });
});

describe('the events of a switch', () => {
  it('the events of a switch are handled at once while the switch is ours', () => {
    gate.offer('park');
    expect(handled).toEqual(['park']);
  });

  it('the events of a switch that arrive before a late renewal are handled after it, in their order', () => {
    now = inSecs(3);
    gate.offer('park');
    gate.offer('hangup');
    expect([handled, gate.isOwner]).toEqual([[], false]);
    expect(gate.renewed({ until: inSecs(2), term: 1 })).toBe(true);
    gate.offer('next');
    expect(handled).toEqual(['park', 'hangup', 'next']);
  });

  it('the events of a switch that arrive while another process owns the switch are left to it', () => {
    now = inSecs(3);
    gate.offer('park');
    expect(gate.renewed({ until: inSecs(2), term: 3 })).toBe(false);
    now = inSecs(3);
    gate.offer('hangup');
    gate.lost();
    expect(gate.renewed({ until: inSecs(2), term: 5 })).toBe(true);
    expect(handled).toEqual([]);
  });

  it('the events of a switch are not kept without end', () => {
    now = inSecs(3);
    for (let i = 0; i <= 20_000; i++) gate.offer('event');
    expect(overflows).toBe(1);
    gate.renewed({ until: inSecs(2), term: 1 });
    expect(handled).toEqual([]);
  });
});
