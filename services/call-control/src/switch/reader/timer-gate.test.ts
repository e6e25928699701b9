import { beforeEach, describe, expect, it } from '@jest/globals';
import { type TimerGate, timerGate } from './timer-gate.ts';

let now: Date;
let isOwner: boolean;
let gate: TimerGate;
const pass = (seconds: number) => void (now = new Date(now.getTime() + seconds * 1000));

beforeEach(() => {
  now = new Date('2026-03-02T10:00:00Z');
  isOwner = true;
  gate = timerGate({ machineClock: { now: () => now }, isOwner: () => isOwner });
});

describe('timers of the calls of a switch', () => {
  it('timers of the calls of a switch fire once the calls are reconciled, however long that takes', () => {
    gate.taken();
    gate.connected();
    pass(60);
    expect(gate.isOpen).toBe(false);
    gate.reconciled();
    expect(gate.isOpen).toBe(true);
  });

  it('timers of the calls of a switch fire in the process that owns the switch only', () => {
    gate.taken();
    gate.connected();
    gate.reconciled();
    isOwner = false;
    expect(gate.isOpen).toBe(false);
  });

  it('timers of the calls of a switch wait for reconciliation again after the connection ended, or another process owned the switch', () => {
    for (const miss of [gate.disconnected, gate.taken]) {
      gate.taken();
      gate.connected();
      gate.reconciled();
      pass(60);
      miss();
      expect(gate.isOpen).toBe(false);
      gate.connected();
      pass(60);
      expect(gate.isOpen).toBe(false);
    }
  });

  it('timers of the calls of a switch do not wait long for a switch that is away, also when attempts to connect fail', () => {
    gate.taken();
    pass(3);
    gate.connected();
    gate.disconnected();
    pass(3);
    expect(gate.isOpen).toBe(true);
    gate.connected();
    expect(gate.isOpen).toBe(false);
  });

  it('timers of the calls of a switch wait for the first attempt to connect when the process has stood still', () => {
    for (const miss of [gate.taken, gate.disconnected]) {
      gate.taken();
      gate.connected();
      gate.reconciled();
      miss();
      pass(60);
      expect(gate.isOpen).toBe(false);
      gate.notConnected();
      expect(gate.isOpen).toBe(true);
    }
  });

  it('timers of the calls of a switch are not released by the reconciliation of a connection that has ended', () => {
    gate.taken();
    gate.connected();
    gate.disconnected();
    gate.reconciled();
    expect(gate.isOpen).toBe(false);
  });
});
