import { describe, expect, it } from '@jest/globals';
import type { PresenceLease } from '../presence/presence.ts';
import { switchForCall } from './switch-for-call.ts';

const until = new Date('2026-03-02T10:00:00Z');
const registeredAt = (...names: string[]): { leases: readonly PresenceLease[] } => ({
  leases: names.map((switchName) => ({
    kind: 'registration',
    id: `${switchName}/1`,
    until,
    contact: { switchName, callId: '1', address: 'sip:a@10.0.0.9', softphoneSessionId: null },
  })),
});
const up = { isReachable: true, isDraining: false, trunkAddress: 'here:5082' };
const [east, west] = [
  { ...up, name: 'east' },
  { ...up, name: 'west' },
];

describe('the switch for a requested call', () => {
  it.each([
    ['is where a phone is registered', [east, west], registeredAt('west'), west],
    ['is another one where that one is draining', [east, { ...west, isDraining: true }], registeredAt('west'), east],
    [
      'is one with a phone that can be reached',
      [{ ...east, isReachable: false }, west],
      registeredAt('east', 'west'),
      west,
    ],
  ])('%s', (_title, all, presence, expected) => {
    expect(switchForCall(all, presence)).toEqual(expected);
  });

  it.each([
    ['the only one is draining', [{ ...east, isDraining: true }], registeredAt('east')],
    ['the phone is at one that cannot be reached', [east, { ...west, isReachable: false }], registeredAt('west')],
    [
      'the one with the phone is draining and has no trunk',
      [east, { ...west, isDraining: true, trunkAddress: undefined }],
      registeredAt('west'),
    ],
    ['the phone is at one that is not configured any more', [east], registeredAt('gone')],
  ])('is none where %s', (_title, all, presence) => {
    expect(switchForCall(all, presence)).toBe('unreachable');
  });

  it('is undefined for an employee without a phone, whom nothing can ring', () => {
    expect(switchForCall([east, west], { leases: [{ kind: 'conversation', id: 'cal_1', until }] })).toBeUndefined();
  });
});
