import type { Audited } from '@parley/actor';
import { type Decision, decided, invalid, refused } from '@parley/errors';
import { auditOfCredential } from '../audit/credential-audit.ts';
import type { CredentialRevoked } from '../revocations/credential-proto.ts';

/** A secret of a key; after a rotation the previous one may stay valid for a while. */
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
  /** One of the employee's numbered slots: there are as many as keys are allowed. */
  readonly slot: number;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

export type ApiKeyEvent =
  | ({ readonly type: 'identity.api_key.created'; readonly id: string; readonly employeeId: string } & Audited)
  | CredentialRevoked;

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
    {
      type: 'identity.api_key.created',
      id: key.id,
      employeeId: key.employeeId,
      audit: auditOfCredential('api_key.created', created),
    },
  ]);
}

export function revokeApiKey(current: ApiKey): Decision<null, ApiKeyEvent> {
  return decided<null, ApiKeyEvent>(null, [revoked(current, 'one', 'api_key.revoked')]);
}

const OVERLAP_SECS_MAX = 24 * 3600;
/** When a key is rotated often within a day, the oldest secrets are dropped. */
const SECRETS_MAX = 10;

/** Gives the key a new secret; the previous one stays valid for the chosen time. */
export function rotateApiKey(
  current: ApiKey,
  digest: string,
  overlapSecs: number,
  now: Date,
): Decision<ApiKey, ApiKeyEvent> {
  if (!(overlapSecs >= 0 && overlapSecs <= OVERLAP_SECS_MAX))
    return refused(invalid({ overlap_secs: [`must be between 0 and ${OVERLAP_SECS_MAX}`] }));
  const end = new Date(now.getTime() + overlapSecs * 1000);
  const old = current.secrets
    .map(({ digest: spent, expiresAt }) => ({
      digest: spent,
      expiresAt: expiresAt && expiresAt < end ? expiresAt : end,
    }))
    .filter(({ expiresAt }) => expiresAt > now);
  const next = { ...current, secrets: [{ digest, expiresAt: null }, ...old].slice(0, SECRETS_MAX) };
  // Without an older secret, the sessions that were opened with the current one end too.
  return decided<ApiKey, ApiKeyEvent>(next, [revoked(current, old.length > 0 ? 'none' : 'one', 'api_key.rotated')]);
}

function revoked(key: ApiKey, ended: 'one' | 'none', type: 'api_key.revoked' | 'api_key.rotated'): ApiKeyEvent {
  const { id, employeeId } = key;
  const audit = auditOfCredential(type, key);
  return { type: 'identity.credential.revoked', credentialId: id, employeeId, ended, audit };
}

/** When the last secret from before the latest rotation stops working; null when none works any more. */
export function formerSecretValidUntil({ secrets }: ApiKey, now: Date): Date | null {
  const ends = secrets.flatMap(({ expiresAt }) => (expiresAt !== null && expiresAt > now ? [expiresAt.getTime()] : []));
  return ends.length > 0 ? new Date(Math.max(...ends)) : null;
}

/** Until when the secret with this digest opens the key: a time, null for no end, undefined for not any more. */
export function validUntil(key: ApiKey, digest: string, now: Date): Date | null | undefined {
  const secret = key.secrets.find((candidate) => candidate.digest === digest);
  if (!secret) return undefined;
  return secret.expiresAt !== null && secret.expiresAt <= now ? undefined : secret.expiresAt;
}
