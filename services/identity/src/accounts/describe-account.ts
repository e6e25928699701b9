import { roleFromProto } from '@parley/actor';
import { decided } from '@parley/errors';
import { planNotification } from '../notifications/notification.ts';
import {
  type Account,
  type AccountDecision,
  type AccountHolder,
  accountIdOf,
  emailKeyOf,
  revokedAll,
  type UnconfirmedEmail,
} from './account.ts';
import { applyActivity } from './account-activity.ts';

export function openAccount(holder: AccountHolder, now: Date): AccountDecision {
  const account: Account = {
    id: accountIdOf(holder.id),
    companyId: holder.companyId,
    employeeId: holder.id,
    directoryRevision: 0,
    ...described(holder),
    emailVersion: 0,
    unconfirmedEmail: unconfirmedEmailOf(holder),
    passwordHash: null,
    passwordVersion: 0,
    twoFactor: null,
    twoFactorDraft: null,
    invitation: null,
    firstSignInAt: null,
    passwordReset: null,
    threadMails: [],
    notifications: [],
    due: null,
    deletedAt: null,
  };
  return applyActivity(account, holder, now);
}

function described(holder: AccountHolder) {
  const email = holder.signInEmail || holder.email;
  const role = holder.role === undefined ? undefined : roleFromProto(holder.role);
  return {
    name: holder.name,
    email,
    emailKey: emailKeyOf(email),
    ...(role !== undefined && { role }),
    ...(holder.revision !== undefined && { directoryRevision: Number(holder.revision) }),
  };
}

/** The links of the same change stay. */
function unconfirmedEmailOf(holder: AccountHolder, known: UnconfirmedEmail | null = null): UnconfirmedEmail | null {
  const change = Number(holder.emailChange ?? 0n);
  if (!holder.emailConfirmationPending) return null;
  return known?.change === change ? known : { email: holder.email, change, digests: [], expiresAt: null };
}

/**
 * Applies directory's record of the employee unless a newer one is known. Links that were sent to another address become
 * invalid. An address that has to be confirmed causes an e-mail to the old one with a link to do so; a link for a new password can be
 * sent to a confirmed one, so the old address is notified of it. Another role is effective at once: every credential is verified again.
 * Somebody who is deactivated is notified of nothing.
 */
export function describeAccount(current: Account, holder: AccountHolder, now: Date): AccountDecision {
  if (current.deletedAt || isOutdated(current, holder)) return decided(current);
  const description = described(holder);
  const links = description.email === current.email ? {} : withoutLinks(current);
  const unconfirmedEmail = unconfirmedEmailOf(holder, current.unconfirmedEmail);
  const next: Account = { ...current, ...description, ...links, unconfirmedEmail };
  const hasOtherRole = current.role !== undefined && next.role !== current.role;
  const events = hasOtherRole ? [revokedAll(current, 'none')] : [];
  // An employee who is about to be ended is described without an address.
  const hasMoved = next.email !== '' && next.emailKey !== current.emailKey && current.passwordHash !== null;
  const isNew = unconfirmedEmail !== null && unconfirmedEmail.change !== current.unconfirmedEmail?.change;
  const about = hasMoved ? 'address' : isNew ? 'unconfirmed_address' : undefined;
  const notified =
    about && !holder.deactivatedAt
      ? planNotification(next, { about, to: hasMoved ? current.email : next.email }, now)
      : next;
  const decision = applyActivity(notified, holder, now);
  return decision.ok ? { ...decision, events: [...events, ...decision.events] } : decision;
}

function withoutLinks({ emailVersion }: Account) {
  return { emailVersion: emailVersion + 1, invitation: null, passwordReset: null };
}

function isOutdated({ directoryRevision }: Account, { revision }: AccountHolder): boolean {
  return revision !== undefined && Number(revision) < directoryRevision;
}
