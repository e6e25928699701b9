import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { type Clock, systemClock } from '@parley/clock';
import { jwtVerify, SignJWT } from 'jose';
import type { Caller } from './caller.ts';

const ALGORITHM = 'EdDSA';
const AUDIENCE = 'parley';
const LIFETIME_SECS = 60;
/** A proof is handed out again until half of its life is over: signing costs more than a whole request otherwise. */
const REUSE_MS = 30_000;
const REMEMBERED_MAX = 10_000;
/** How far apart two machines' clocks may be. */
const CLOCK_TOLERANCE_SECS = 5;
/** The one service that meets the outside world, and so the only one whose word on employees and operators counts. */
const EDGE_SERVICE = 'gateway';

/** Makes proofs of who calls, signed with this service's own key. */
export interface Prover {
  prove(caller: Caller): Promise<string>;
  /** What this service is when it acts for itself. */
  readonly self: Caller;
}

/** Believes a proof, or throws. */
export type Verifier = (proof: string) => Promise<Caller>;

/** `privateKey`: Ed25519, PKCS #8 DER in base64. Proofs are short-lived JWTs; the machine's time counts, not a moved clock. */
export function createProver(service: string, privateKey: string, clock: Clock = systemClock): Prover {
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' });
  const made = new Map<string, { proof: Promise<string>; madeAt: number }>();
  const sign = (caller: Caller, now: number) =>
    new SignJWT({ caller })
      .setProtectedHeader({ alg: ALGORITHM })
      .setIssuer(service)
      .setAudience(AUDIENCE)
      .setIssuedAt(Math.floor(now / 1000))
      .setExpirationTime(Math.floor(now / 1000) + LIFETIME_SECS)
      .sign(key);
  return {
    self: { kind: 'service', name: service },
    prove(caller) {
      const now = clock.now().getTime();
      const name = JSON.stringify(caller);
      const known = made.get(name);
      if (known && now - known.madeAt < REUSE_MS) return known.proof;
      if (made.size >= REMEMBERED_MAX) made.clear();
      const proof = sign(caller, now);
      made.set(name, { proof, madeAt: now });
      return proof;
    },
  };
}

/** `trustedKeys`: service name to Ed25519 public key, SPKI DER in base64. */
export function createVerifier(trustedKeys: Readonly<Record<string, string>>, clock: Clock = systemClock): Verifier {
  const keys = new Map<string, KeyObject>(
    Object.entries(trustedKeys).map(([service, key]) => [
      service,
      createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' }),
    ]),
  );
  const believed = new Map<string, { caller: Caller; expiresAt: number }>();
  return async (proof) => {
    const now = clock.now();
    const known = believed.get(proof);
    if (known && known.expiresAt > now.getTime()) return known.caller;
    const issuer = claimedIssuer(proof);
    const key = issuer === undefined ? undefined : keys.get(issuer);
    if (!key || issuer === undefined) throw new Error('proof of an unknown service');
    const { payload } = await jwtVerify(proof, key, {
      algorithms: [ALGORITHM],
      audience: AUDIENCE,
      issuer,
      currentDate: now,
      clockTolerance: CLOCK_TOLERANCE_SECS,
      maxTokenAge: LIFETIME_SECS,
      requiredClaims: ['exp', 'iat', 'caller'],
    });
    const caller = payload['caller'] as Caller;
    if (!mayClaim(issuer, caller)) throw new Error(`${issuer} may not speak for this caller`);
    if (believed.size >= REMEMBERED_MAX) believed.clear();
    believed.set(proof, { caller, expiresAt: (payload.exp ?? 0) * 1000 });
    return caller;
  };
}

function mayClaim(issuer: string, caller: Caller): boolean {
  if (caller.kind === 'service') return caller.name === issuer;
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
