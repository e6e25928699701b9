/**
 * Drops a credential from what this gateway remembers, or with no id everything an employee has. Called before a
 * revocation is answered: whoever has the answer never gets in with the credential here. Other replicas hear of it by event.
 */
export type ForgetCredential = (revoked: { credentialId: string; employeeId: string }) => void;
