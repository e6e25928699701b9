import { describe, expect, it } from '@jest/globals';
import { testNumber } from '../../test/test-number.ts';
import type { RegistrationStatus } from './business-number.ts';
import { setRegistration } from './business-number-rpcs.ts';

const now = new Date('2026-02-01T12:00:00Z');
const statuses: RegistrationStatus[] = ['not_required', 'pending', 'submitted', 'approved', 'rejected', 'failed'];
const possible = [
  'pending submitted',
  'pending failed',
  'submitted approved',
  'submitted rejected',
  'rejected pending',
  'failed pending',
];

describe('a registration', () => {
  it.each(statuses.flatMap((from) => statuses.map((to) => [from, to] as const)))(
    'a registration changes from %s to %s only if that is possible',
    (from, to) => {
      const decision = setRegistration(testNumber({ registrationStatus: from }), to, undefined, now);
      expect(decision.ok).toBe(possible.includes(`${from} ${to}`));
      if (decision.ok) expect(decision.state.registrationStatus).toBe(to);
      else
        expect(decision.refusal).toMatchObject({
          code: 'invalid_transition',
          fields: { status: [expect.any(String)] },
        });
    },
  );

  const eventsOf = (from: RegistrationStatus, to: RegistrationStatus, reason?: string) => {
    const decision = setRegistration(testNumber({ registrationStatus: from }), to, reason, now);
    return decision.ok ? decision.events : [];
  };

  it('a registration that is approved publishes one event, after that of the change', () => {
    expect(eventsOf('submitted', 'approved').map(({ type }) => type)).toEqual([
      'numbers-routing.number.updated',
      'numbers-routing.registration.approved',
    ]);
  });

  it('a registration that is rejected publishes the reason', () => {
    expect(eventsOf('submitted', 'rejected', 'Wrong address')[1]).toMatchObject({
      type: 'numbers-routing.registration.rejected',
      reason: 'Wrong address',
      number: { registrationStatus: 'rejected' },
    });
    expect(eventsOf('submitted', 'rejected')[1]).toMatchObject({ reason: 'No reason was given.' });
  });

  it('a registration publishes no further events for its other steps', () => {
    expect(eventsOf('pending', 'submitted').map(({ type }) => type)).toEqual(['numbers-routing.number.updated']);
    expect(eventsOf('failed', 'pending')).toHaveLength(1);
  });
});
