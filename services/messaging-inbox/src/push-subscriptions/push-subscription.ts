import { type EndedCredentials, wasMadeWith } from '@parley/actor';
import { type Decision, decided, notFound, refused } from '@parley/errors';
import type { CredentialType } from '@parley/rpc';

/** A browser that shows push messages of an employee. */
export interface PushSubscription {
  readonly id: string;
  /** Digest of its address: the same browser is recognised by it. */
  readonly endpointDigest: string;
  /** Its address and keys, encrypted. */
  readonly encryptedTarget: string;
  /** Our public key that it was made for: push services refuse messages that are signed with another one. */
  readonly publicKey: string;
  /** The language of its messages. */
  readonly language: string;
  readonly name: string;
  /** The credential that created it, and with which it ends. */
  readonly madeWith: { readonly credentialType: CredentialType; readonly credentialId: string };
  readonly createdAt: Date;
}

/** The browsers of one employee; the id is the employee's. */
export interface EmployeePushSubscriptions {
  readonly id: string;
  readonly companyId: string;
  /** Oldest first. */
  readonly subscriptions: readonly PushSubscription[];
}

/** The oldest is removed for a new one. */
const SUBSCRIPTIONS_MAX = 20;

/** Adds a browser. It replaces what was known of the same browser: by its address, or by its sign-in session. */
export function addSubscription(
  current: EmployeePushSubscriptions,
  added: PushSubscription,
): Decision<EmployeePushSubscriptions> {
  const known = current.subscriptions.find((one) => isSameBrowser(one, added));
  if (known && isUnchanged(known, added)) return decided(current);
  const others = current.subscriptions.filter((one) => !isSameBrowser(one, added));
  const subscriptions = [...others.slice(1 - SUBSCRIPTIONS_MAX), { ...added, id: known?.id ?? added.id }];
  return decided({ ...current, subscriptions });
}

export function removeSubscription(
  current: EmployeePushSubscriptions,
  id: string,
): Decision<EmployeePushSubscriptions | null> {
  const kept = current.subscriptions.filter((one) => one.id !== id);
  return kept.length < current.subscriptions.length ? withOnly(current, kept) : refused(notFound);
}

/** Removes those that were made with credentials that have ended. */
export function endSubscriptions(
  current: EmployeePushSubscriptions,
  ended: EndedCredentials,
): Decision<EmployeePushSubscriptions | null> {
  return withOnly(
    current,
    current.subscriptions.filter((one) => !wasMadeWith(one, ended)),
  );
}

/** Whoever has no browser has no document. */
function withOnly(
  current: EmployeePushSubscriptions,
  kept: readonly PushSubscription[],
): Decision<EmployeePushSubscriptions | null> {
  if (kept.length === current.subscriptions.length) return decided(current);
  return decided(kept.length > 0 ? { ...current, subscriptions: kept } : null);
}

function isSameBrowser(one: PushSubscription, other: PushSubscription): boolean {
  return (
    one.endpointDigest === other.endpointDigest ||
    (one.madeWith.credentialType === 'session' && one.madeWith.credentialId === other.madeWith.credentialId)
  );
}

function isUnchanged(known: PushSubscription, added: PushSubscription): boolean {
  const fields = ['encryptedTarget', 'publicKey', 'language', 'name'] as const;
  return (
    fields.every((field) => known[field] === added[field]) &&
    known.madeWith.credentialId === added.madeWith.credentialId
  );
}
