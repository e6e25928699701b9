/**
 * Drops a credential from what this gateway remembers, or with no id everything an employee has. Called before a
 * revocation is confirmed: whoever has the confirmation is never let in with the credential here. Other replicas are informed by an event.
 */
export type ForgetCredential = (revoked: { credentialId: string; employeeId: string }) => void;
