import { timestampDate } from '@bufbuild/protobuf/wkt';
import { decided, dueIn } from '@parley/errors';
import {
  type Account,
  type AccountCommand,
  type AccountDecision,
  type AccountEvent,
  type AccountHolder,
  type AccountTimer,
  revokedAll,
} from './account.ts';

/** The keys and connected apps of a deactivated employee are kept so long. */
const SUSPENSION_MS = 30 * 24 * 3600 * 1000;

/** Whether a credential was suspended for too long, so that it is about to be removed. */
export function hasEnded({ credentialsSince }: Pick<Account, 'credentialsSince'>, createdAt: Date): boolean {
  return credentialsSince !== undefined && createdAt < credentialsSince;
}

/**
 * Applies whether directory's record is deactivated; what is left of a deleted one says nothing about that. It ends everything but keys and grants in this write: sessions by the version of the
 * password, links, and e-mails that were not sent yet. So nothing of it comes back with the employee.
 */
export function applyActivity(
  current: Account,
  holder: Pick<AccountHolder, 'deactivatedAt' | 'updatedAt' | 'revision'>,
  now: Date,
): AccountDecision {
  const known = current.deactivatedAt;
  const deactivatedAt = holder.deactivatedAt && timestampDate(holder.deactivatedAt);
  if (holder.revision === undefined || known?.getTime() === deactivatedAt?.getTime()) return unchanged(current);
  if (deactivatedAt) return deactivate(current, deactivatedAt, now);
  // Directory's time: its record may arrive long after.
  const reactivatedAt = holder.updatedAt ? timestampDate(holder.updatedAt) : now;
  const { deactivatedAt: _deactivatedAt, ...open } = current;
  const timers = { suspension_end: null };
  if (!known || reactivatedAt.getTime() < known.getTime() + SUSPENSION_MS)
    return decided<Account, AccountEvent, AccountCommand, AccountTimer>(open, [], { timers });
  const commands = [{ kind: 'remove_credentials', before: reactivatedAt } as const];
  return decided<Account, AccountEvent, AccountCommand, AccountTimer>(
    { ...open, credentialsSince: reactivatedAt },
    [],
    {
      timers,
      commands,
    },
  );
}

function deactivate(current: Account, deactivatedAt: Date, now: Date): AccountDecision {
  const passwordVersion = current.passwordVersion + 1;
  const ended = { invitation: null, passwordReset: null, twoFactorDraft: null, notifications: [], due: null };
  const end = deactivatedAt.getTime() + SUSPENSION_MS;
  const timers = { suspension_end: dueIn(now, Math.max(0, end - now.getTime())) };
  const next = { ...current, ...ended, passwordVersion, deactivatedAt };
  return decided<Account, AccountEvent, AccountCommand, AccountTimer>(next, [revokedAll(current, 'all')], { timers });
}

/** Fired by the timer while the employee is still deactivated. */
export function endSuspension(current: Account, now: Date): AccountDecision {
  if (!current.deactivatedAt) return unchanged(current);
  const commands = [{ kind: 'remove_credentials', before: now } as const];
  return decided<Account, AccountEvent, AccountCommand, AccountTimer>({ ...current, credentialsSince: now }, [], {
    commands,
  });
}

function unchanged(current: Account): AccountDecision {
  return decided<Account, AccountEvent, AccountCommand, AccountTimer>(current);
}
