import { describe, expect, it } from '@jest/globals';
import { type Signals, type Status, statusOf } from './status.ts';

const nothing: Signals = {
  onCall: false,
  doNotDisturb: false,
  ringing: false,
  reachable: false,
  invitationPending: false,
};

describe('the status of an employee', () => {
  it.each<[Status, Partial<Signals>]>([
    ['logged_out', {}],
    ['logged_out', { invitationPending: true }],
    ['logged_out', { reachable: true, invitationPending: true }],
    ['available', { reachable: true }],
    ['ringing', { reachable: true, ringing: true }],
    ['ringing', { ringing: true }],
    ['do_not_disturb', { doNotDisturb: true }],
    ['do_not_disturb', { doNotDisturb: true, reachable: true, ringing: true }],
    ['do_not_disturb', { doNotDisturb: true, invitationPending: true }],
    ['on_call', { onCall: true }],
    ['on_call', { onCall: true, doNotDisturb: true, ringing: true, reachable: true }],
  ])('is %s with %j', (status, signals) => {
    expect(statusOf({ ...nothing, ...signals })).toBe(status);
  });

  it('the status of an employee follows the precedence whatever else is signalled', () => {
    for (let bits = 0; bits < 32; bits += 1) {
      const signals = {
        onCall: (bits & 1) > 0,
        doNotDisturb: (bits & 2) > 0,
        ringing: (bits & 4) > 0,
        reachable: (bits & 8) > 0,
        invitationPending: (bits & 16) > 0,
      };
      const ranked: [boolean, Status][] = [
        [signals.onCall, 'on_call'],
        [signals.doNotDisturb, 'do_not_disturb'],
        [signals.ringing, 'ringing'],
        [signals.reachable && !signals.invitationPending, 'available'],
        [true, 'logged_out'],
      ];
      expect(statusOf(signals)).toBe(ranked.find(([holds]) => holds)?.[1]);
    }
  });
});
