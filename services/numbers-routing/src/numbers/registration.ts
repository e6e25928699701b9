import type { RegistrationStatus } from './business-number.ts';
import { type Decision, refusal, refused } from '@parley/errors';
import { type BusinessNumber, type BusinessNumberEvent, changed } from './business-number.ts';

const moves: Record<RegistrationStatus, readonly RegistrationStatus[]> = {
  not_required: [],
  pending: ['submitted', 'failed'],
  submitted: ['approved', 'rejected'],
  approved: [],
  rejected: ['pending'],
  failed: ['pending'],
};

const NO_REASON = 'No reason was given.';

/** Moves a registration one step. Each transition to approved or rejected has its own event. */
export function setRegistration(
  current: BusinessNumber,
  status: RegistrationStatus,
  reason: string | undefined,
  now: Date,
): Decision<BusinessNumber, BusinessNumberEvent> {
  const from = current.registrationStatus;
  if (!moves[from].includes(status)) {
    const message = `cannot go from ${from} to ${status}`;
    return refused(refusal('invalid_transition', `status ${message}`, { fields: { status: [message] } }));
  }
  return changed(current, { ...current, registrationStatus: status }, now, (number) => {
    if (status === 'approved') return [{ type: 'numbers-routing.registration.approved', number }];
    if (status !== 'rejected') return [];
    return [{ type: 'numbers-routing.registration.rejected', number, reason: reason?.trim() || NO_REASON }];
  });
}
