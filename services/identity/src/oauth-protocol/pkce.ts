import { createHash } from 'node:crypto';
import { digestsEqual } from '@parley/secrets';

/** RFC 7636 section 4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** S256 is the only method there is. */
export function matchesChallenge(verifier: string, challenge: string): boolean {
  return VERIFIER.test(verifier) && digestsEqual(createHash('sha256').update(verifier).digest('base64url'), challenge);
}
