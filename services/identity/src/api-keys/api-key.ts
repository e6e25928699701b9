import { type Decision, decided, invalid, refused } from '@parley/errors';
import type { CredentialRevoked } from '../credentials/credential-proto.ts';

/** One secret that opens a key; after a rotation the one before may live on for a while. */
export interface ApiKeySecret {
  readonly digest: string;
  /** Null for the current one. */
  readonly expiresAt: Date | null;
}

/** An employee's key to the API, with the employee's full access. */
export interface ApiKey {
  readonly id: string;
  readonly companyId: string;
  readonly employeeId: string;
  readonly name: string;
  /** The current one first. */
  readonly secrets: readonly ApiKeySecret[];
  /** Which of the employee's numbered places the key has: there are as many places as keys are allowed. */
  readonly slot: number;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

export type ApiKeyEvent =
  | { readonly type: 'identity.api_key.created'; readonly id: string; readonly employeeId: string }
  | CredentialRevoked;

export const API_KEY_PREFIX = 'pk';

const NAME_LENGTH_MAX = 128;

export function createApiKey(
  key: Omit<ApiKey, 'secrets' | 'lastUsedAt'>,
  digest: string,
): Decision<ApiKey, ApiKeyEvent> {
  const name = key.name.trim();
  if (name === '') return refused(invalid({ name: ['is required'] }));
  if (name.length > NAME_LENGTH_MAX)
    return refused(invalid({ name: [`is too long (maximum is ${NAME_LENGTH_MAX} characters)`] }));
  const created = { ...key, name, secrets: [{ digest, expiresAt: null }], lastUsedAt: null };
  return decided<ApiKey, ApiKeyEvent>(created, [
    { type: 'identity.api_key.created', id: key.id, employeeId: key.employeeId },
  ]);
}

export function revokeApiKey(current: ApiKey): Decision<null, ApiKeyEvent> {
  return decided<null, ApiKeyEvent>(null, [
    { type: 'identity.credential.revoked', credentialId: current.id, employeeId: current.employeeId },
  ]);
}

/** Until when the secret with this digest opens the key: a time, null for no end, undefined for not any more. */
export function opensUntil(key: ApiKey, digest: string, now: Date): Date | null | undefined {
  const secret = key.secrets.find((candidate) => candidate.digest === digest);
  if (!secret) return undefined;
  return secret.expiresAt !== null && secret.expiresAt <= now ? undefined : secret.expiresAt;
}
