import { type Decision, decided, notFound, refused } from '@parley/errors';

/** What identity knows of an employee: how to recognise them, and how they prove who they are. */
export interface Account {
  readonly id: string;
  readonly companyId: string;
  readonly employeeId: string;
  readonly name: string;
  readonly email: string;
  /** What a sign-in is looked up by; null once the employee is gone. */
  readonly emailKey: string | null;
  /** argon2id in PHC format; null until a password is set. */
  readonly passwordHash: string | null;
  /** Grows with every new password; sign-in sessions of an older one are over. */
  readonly passwordVersion: number;
  /** A deleted employee's account stays as an empty mark, so that a late request cannot bring it back. */
  readonly deletedAt: Date | null;
}

export interface AccountEvent {
  readonly type: 'identity.credential.revoked';
  readonly credentialId: string;
  readonly employeeId: string;
}

/** An employee as directory tells of them. */
export interface AccountHolder {
  readonly id: string;
  readonly companyId: string;
  readonly name: string;
  readonly email: string;
}

/** An account has an id of its own, made from the employee's: two aggregates never share one. */
export function accountIdOf(employeeId: string): string {
  return `acc_${employeeId.replace(/^emp_/, '')}`;
}

/** Upper and lower case are the same person. */
export function emailKeyOf(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

export function openAccount(holder: AccountHolder): Decision<Account, AccountEvent> {
  return decided<Account, AccountEvent>({
    id: accountIdOf(holder.id),
    companyId: holder.companyId,
    employeeId: holder.id,
    name: holder.name,
    email: holder.email,
    emailKey: emailKeyOf(holder.email),
    passwordHash: null,
    passwordVersion: 0,
    deletedAt: null,
  });
}

/** Takes over what directory says of the employee now. */
export function describeAccount(current: Account, holder: AccountHolder): Decision<Account, AccountEvent> {
  if (current.deletedAt) return decided(current);
  return decided({ ...current, name: holder.name, email: holder.email, emailKey: emailKeyOf(holder.email) });
}

export function setPassword(current: Account, passwordHash: string): Decision<Account, AccountEvent> {
  if (current.deletedAt) return refused(notFound);
  const next = { ...current, passwordHash, passwordVersion: current.passwordVersion + 1 };
  return decided(next, [everythingRevoked(current)]);
}

/** Empties the account of a deleted employee. */
export function closeAccount(current: Account, now: Date): Decision<Account, AccountEvent> {
  if (current.deletedAt) return decided(current);
  const next = { ...current, name: '', email: '', emailKey: null, passwordHash: null, deletedAt: now };
  return decided(next, [everythingRevoked(current)]);
}

function everythingRevoked({ employeeId }: Account): AccountEvent {
  return { type: 'identity.credential.revoked', credentialId: '', employeeId };
}
