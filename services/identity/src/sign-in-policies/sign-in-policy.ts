import { type Audited, changedFields } from '@parley/actor';
import { type Decision, decided } from '@parley/errors';

/** How a company's employees may sign in. */
export interface SignInPolicy {
  /** The company's: there is one for each. */
  readonly id: string;
  readonly companyId: string;
  /** Employees may allow programs without a browser by a code (RFC 8628). */
  readonly deviceSignIn: boolean;
  readonly changedAt: Date | null;
}

/** What is absent stays as it is. */
export type SignInPolicyChange = Partial<Pick<SignInPolicy, 'deviceSignIn'>>;

export interface SignInPolicyEvent extends Audited {
  readonly type: 'identity.sign_in_policy.changed';
  readonly deviceSignIn: boolean;
}

/** The policy of a company that has never changed it. */
export function defaultPolicy(companyId: string): SignInPolicy {
  return { id: companyId, companyId, deviceSignIn: true, changedAt: null };
}

/** A change without effect emits no event. */
export function changePolicy(
  current: SignInPolicy,
  change: SignInPolicyChange,
  now: Date,
): Decision<SignInPolicy, SignInPolicyEvent> {
  const next = { ...current, deviceSignIn: change.deviceSignIn ?? current.deviceSignIn };
  const changes = changedFields(publicFields(current), publicFields(next));
  if (Object.keys(changes).length === 0) return decided(current);
  const object = { type: 'sign_in_policy', id: current.companyId, name: '' };
  const audit = { type: 'sign_in_policy.changed', object, changes } as const;
  const { deviceSignIn } = next;
  return decided({ ...next, changedAt: now }, [{ type: 'identity.sign_in_policy.changed', deviceSignIn, audit }]);
}

/** Owners change it, and never through an app (OAuth). */
export function mayChangePolicy(caller: { readonly role: string; readonly credentialType: string }): boolean {
  return caller.role === 'owner' && caller.credentialType !== 'oauth_token';
}

function publicFields({ deviceSignIn }: SignInPolicy): Record<string, unknown> {
  return { device_sign_in: deviceSignIn };
}
