import { describe, expect, it } from '@jest/globals';
import { type ApiKey, createApiKey, formerSecretValidUntil, validUntil, rotateApiKey } from './api-key.ts';

const NOW = new Date('2030-01-01T00:00:00Z');
const after = (secs: number) => new Date(NOW.getTime() + secs * 1000);
const details = { id: 'key', companyId: 'com', employeeId: 'emp', name: ' CRM ', slot: 0, createdAt: NOW };

function made(): ApiKey {
  const decision = createApiKey(details, 'one');
  if (!decision.ok) throw new Error('refused');
  return decision.state;
}
function rotated(key: ApiKey, digest: string, overlapSecs: number, now = NOW): ApiKey {
  const decision = rotateApiKey(key, digest, overlapSecs, now);
  if (!decision.ok) throw new Error('refused');
  return decision.state;
}

describe('an API key', () => {
  it('an API key has a trimmed name and one secret without end', () => {
    expect(made().name).toBe('CRM');
    expect(validUntil(made(), 'one', NOW)).toBeNull();
    expect(validUntil(made(), 'two', NOW)).toBeUndefined();
  });

  it('an API key opens with both secrets until the overlap is over', () => {
    const key = rotated(made(), 'two', 3600);
    expect(validUntil(key, 'two', after(99_999))).toBeNull();
    expect(validUntil(key, 'one', after(3599))).toEqual(after(3600));
    expect(validUntil(key, 'one', after(3600))).toBeUndefined();
    expect(formerSecretValidUntil(key, NOW)).toEqual(after(3600));
  });

  it('an API key rotated without overlap opens with the new secret only', () => {
    const key = rotated(rotated(made(), 'two', 3600), 'three', 0);
    expect(key.secrets.map(({ digest }) => digest)).toEqual(['three']);
  });

  it.each([
    [0, 'one'],
    [60, 'none'],
  ] as const)(
    'a rotation of an API key with an overlap of %s s ends, of what was made with it, %s',
    (overlapSecs, ended) => {
      const decision = rotateApiKey(made(), 'two', overlapSecs, NOW);
      expect(decision.ok && decision.events).toMatchObject([{ type: 'identity.credential.revoked', ended }]);
    },
  );

  it('an API key never lets a later rotation lengthen the lifetime of an older secret', () => {
    const key = rotated(rotated(made(), 'two', 60), 'three', 86_400);
    expect(validUntil(key, 'one', NOW)).toEqual(after(60));
    expect(validUntil(key, 'two', NOW)).toEqual(after(86_400));
  });

  it.each([-1, 86_401, Number.NaN])('an API key cannot be rotated with an overlap of %s s', (overlapSecs) => {
    expect(rotateApiKey(made(), 'two', overlapSecs, NOW).ok).toBe(false);
  });
});
