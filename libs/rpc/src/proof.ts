import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { type Clock, systemClock } from '@parley/clock';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Principal } from './principal.ts';

const ALGORITHM = 'EdDSA';
const LIFETIME_SECS = 60;
/** A proof is reused until half of its lifetime is over, because signing is more expensive than the rest of a request. */
const REUSE_MS = 30_000;
const CACHED_MAX = 10_000;
/** The accepted difference between the clocks of two machines. */
const CLOCK_TOLERANCE_SECS = 5;
/** The only service with public interfaces, and so the only one that may assert employees and operators. */
const EDGE_SERVICE = 'gateway';

/** Makes proofs of who calls, signed with this service's own key. */
export type Prover = ReturnType<typeof createProver>;

/** The principal of a proof that was made for `audience`; throws when it is not valid. */
export type Verifier = (proof: string, audience: string) => Promise<Principal>;

/**
 * Whom a proof for a contract is addressed to: the contract's package. A service that was called cannot use the proof it
 * received to call another one.
 */
export function audienceOf(contract: { readonly typeName: string }): string {
  return contract.typeName.slice(0, contract.typeName.lastIndexOf('.'));
}

/** `privateKey`: Ed25519, PKCS #8 DER in base64. Proofs are short-lived JWTs; they use the machine's time, not the test clock. */
export function createProver(service: string, privateKey: string, clock: Clock = systemClock) {
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' });
  const made = new LRUCache<string, { proof: Promise<string>; madeAt: number }>({ max: CACHED_MAX });
  const sign = (principal: Principal, audience: string, now: number) =>
    new SignJWT({ principal })
      .setProtectedHeader({ alg: ALGORITHM })
      .setIssuer(service)
      .setAudience(audience)
      .setIssuedAt(Math.floor(now / 1000))
      .setExpirationTime(Math.floor(now / 1000) + LIFETIME_SECS)
      .sign(key);
  return {
    /** The principal of this service on its own behalf. */
    self: { kind: 'service', name: service } as Principal,
    /** `audience`: the contract the proof is for; others reject it. */
    prove(principal: Principal, audience: string): Promise<string> {
      const now = clock.now().getTime();
      const name = JSON.stringify([audience, principal]);
      const known = made.get(name);
      if (known && now - known.madeAt < REUSE_MS) return known.proof;
      const proof = sign(principal, audience, now);
      made.set(name, { proof, madeAt: now });
      return proof;
    },
  };
}

/** Service name to its Ed25519 public key, SPKI DER in base64; to several while a key is being replaced. */
export type TrustedKeys = Readonly<Record<string, string | readonly string[]>>;

export function createVerifier(trustedKeys: TrustedKeys, clock: Clock = systemClock): Verifier {
  const publicKey = (key: string) => createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
  const keys = new Map<string, KeyObject[]>(
    Object.entries(trustedKeys).map(([service, trusted]) => [service, [trusted].flat().map(publicKey)]),
  );
  const believed = new LRUCache<string, { principal: Principal; audience: string; expiresAt: number }>({
    max: CACHED_MAX,
  });
  return async (proof, audience) => {
    const now = clock.now();
    const known = believed.get(proof);
    if (known && known.audience === audience && known.expiresAt > now.getTime()) return known.principal;
    const issuer = claimedIssuer(proof);
    if (issuer === undefined || !keys.has(issuer)) throw new Error('proof of an unknown service');
    const payload = await verifiedBy(keys.get(issuer) ?? [], proof, { issuer, audience, currentDate: now });
    const principal = payload['principal'] as Principal;
    if (!mayClaim(issuer, principal)) throw new Error(`${issuer} may not assert this principal`);
    believed.set(proof, { principal, audience, expiresAt: (payload.exp ?? 0) * 1000 });
    return principal;
  };
}

/** The content of the proof if any of the keys verifies it; otherwise throws the error of the last key. */
async function verifiedBy(
  keys: readonly KeyObject[],
  proof: string,
  expected: { issuer: string; audience: string; currentDate: Date },
): Promise<JWTPayload> {
  let failure: unknown;
  for (const key of keys) {
    try {
      const { payload } = await jwtVerify(proof, key, {
        ...expected,
        algorithms: [ALGORITHM],
        clockTolerance: CLOCK_TOLERANCE_SECS,
        maxTokenAge: LIFETIME_SECS,
        requiredClaims: ['exp', 'iat', 'principal'],
      });
      return payload;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function mayClaim(issuer: string, principal: Principal): boolean {
  if (principal.kind === 'service') return principal.name === issuer;
  return issuer === EDGE_SERVICE;
}

/** Read before the signature is checked, only to choose the key to check it with. */
function claimedIssuer(proof: string): string | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(proof.split('.')[1] ?? '', 'base64url').toString());
    const issuer = (claims as { iss?: unknown }).iss;
    return typeof issuer === 'string' ? issuer : undefined;
  } catch {
    return undefined;
  }
}
