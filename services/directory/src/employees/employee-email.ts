/** The addresses of an employee. */
export interface EmailFields {
  /** The displayed address; the employee signs in with it unless `signInEmail` is present. */
  readonly email: string;
  /** The address in the form that must be unique across all companies: upper and lower case are the same person. */
  readonly emailKey: string;
  /** Every address that is reserved, in the same form: the shown one and the one the employee signs in with. */
  readonly emailKeys: readonly string[];
  /** The confirmed address, present only while the new one is not. */
  readonly signInEmail?: string;
  /** Increases with every change of the address, so that an outdated confirmation is recognised. */
  readonly emailChange: number;
}

export function emailKeyOf(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

/**
 * Another address. An employee who has signed in keeps signing in with the old one until the new one is confirmed: otherwise
 * whoever changes an address could take over the account with a link for a new password. Changing back ends the wait.
 */
export function changedEmail<State extends EmailFields & { readonly invitationPending: boolean }>(
  current: State,
  email: string,
): State {
  const emailKey = emailKeyOf(email);
  if (emailKey === current.emailKey) return { ...current, email };
  const { signInEmail: confirmed = current.email, ...withoutWait } = current;
  const next = { ...withoutWait, email, emailKey, emailChange: current.emailChange + 1 };
  const confirmedKey = emailKeyOf(confirmed);
  if (current.invitationPending || emailKey === confirmedKey)
    return { ...next, emailKeys: [emailKey] } as unknown as State;
  return { ...next, emailKeys: [emailKey, confirmedKey], signInEmail: confirmed } as unknown as State;
}

/** The shown address is the one to sign in with; the old one is free. */
export function confirmedEmail<State extends EmailFields>(current: State): State {
  const { signInEmail: _, ...rest } = current;
  return { ...rest, emailKeys: [current.emailKey] } as unknown as State;
}
