/**
 * Drops a credential from this gateway's cache, or without an id all credentials of an employee. Called before a
 * revocation is confirmed, so that the credential is not accepted here after the confirmation. Other replicas are informed by an event.
 */
export type EvictCredential = (revoked: { credentialId: string; employeeId: string }) => void;
