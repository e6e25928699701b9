import type { Transfer } from '../model/transfer.ts';

/** A transfer as answers show it. */
export function transferJson({ id, state, from, to, outside, isBlind }: Transfer): Record<string, unknown> {
  return {
    id,
    state,
    from_employee: { id: from.id, name: from.name },
    to_employee: to && { id: to.id, name: to.name },
    ...(outside && { to_phone_number: outside.phoneNumber }),
    ...(isBlind && { mode: 'blind' }),
  };
}
