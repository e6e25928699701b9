/**
 * A program without a browser that waits for an employee (RFC 8628). Each step is one guarded write of this document: a user code
 * belongs to the session that entered it first, is decided once, and gives tokens once.
 */
export interface DeviceAuthorization {
  readonly id: string;
  /** Of the employee who has entered the code. */
  readonly companyId: string | null;
  readonly clientId: string;
  readonly clientName: string;
  readonly scope: string;
  readonly deviceCodeDigest: string;
  readonly userCodeDigest: string;
  /** From where the program asked, and what it calls itself: the employee is shown both. */
  readonly requestedFrom: { readonly address: string; readonly program: string };
  readonly requestedAt: Date;
  readonly intervalSecs: number;
  readonly lastPolledAt: Date | null;
  readonly progress: Progress;
  readonly expiresAt: Date;
  /** Kept for a while after it has expired: the program is told so. */
  readonly removeAt: Date;
}

type Progress =
  | { readonly step: 'waiting' }
  | { readonly step: 'entered'; readonly sessionId: string }
  | { readonly step: 'allowed'; readonly by: Approval }
  | { readonly step: 'denied' }
  | { readonly step: 'redeemed' };

/** Who allowed it, for the grant and for the audit log. */
export interface Approval {
  readonly companyId: string;
  readonly employeeId: string;
  readonly name: string;
  readonly sessionId: string;
  /** Of the browser. */
  readonly address: string | undefined;
}

export const DEVICE_CODE_LIFETIME_SECS = 600;
export const POLL_INTERVAL_SECS = 5;
const SLOW_DOWN_SECS = 5;
/** The clocks of replicas and the timers of programs are not exact. */
const POLL_TOLERANCE_MS = 500;
const KEPT_AFTER_EXPIRY_MS = 24 * 3600 * 1000;
const PROGRAM_LENGTH_MAX = 200;

/** A new state, or undefined to leave it unchanged. */
export interface DeviceDecision<Outcome> {
  readonly outcome: Outcome;
  readonly next?: DeviceAuthorization;
}

export function requestAuthorization(
  request: Pick<
    DeviceAuthorization,
    'id' | 'clientId' | 'clientName' | 'scope' | 'deviceCodeDigest' | 'userCodeDigest' | 'requestedFrom'
  >,
  now: Date,
): DeviceAuthorization {
  const { address, program } = request.requestedFrom;
  const expiresAt = new Date(now.getTime() + DEVICE_CODE_LIFETIME_SECS * 1000);
  return {
    ...request,
    companyId: null,
    requestedFrom: { address, program: readable(program) },
    requestedAt: now,
    intervalSecs: POLL_INTERVAL_SECS,
    lastPolledAt: null,
    progress: { step: 'waiting' },
    expiresAt,
    removeAt: new Date(expiresAt.getTime() + KEPT_AFTER_EXPIRY_MS),
  };
}

/** Control and direction characters could disguise what the employee is shown. */
function readable(program: string): string {
  return program
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, PROGRAM_LENGTH_MAX);
}

/** `not_valid`: unknown, expired, decided, or of another session. Which of them is not said. */
export type EntryOutcome = 'ask' | 'turned_off' | 'not_valid';

/**
 * Binds the code to the session that enters it, so that whoever else sees or guesses it cannot decide. Where the company has turned
 * the device grant off, the program is denied at once.
 */
export function enterCode(
  current: DeviceAuthorization,
  entry: { readonly sessionId: string; readonly companyId: string; readonly isTurnedOff: boolean },
  now: Date,
): DeviceDecision<EntryOutcome> {
  const { progress } = current;
  const { sessionId, companyId, isTurnedOff } = entry;
  const isFree = progress.step === 'waiting' || isEnteredBy(progress, sessionId);
  if (!isFree || hasExpired(current, now)) return { outcome: 'not_valid' };
  if (isTurnedOff) return { outcome: 'turned_off', next: { ...denied(current), companyId } };
  if (progress.step === 'entered') return { outcome: 'ask' };
  return { outcome: 'ask', next: { ...current, companyId, progress: { step: 'entered', sessionId } } };
}

export type DecisionOutcome = 'decided' | 'turned_off' | 'not_valid';

/** Only in the session that entered the code, and once. */
export function decideAuthorization(
  current: DeviceAuthorization,
  decision: { readonly by: Approval; readonly isAllowed: boolean; readonly isTurnedOff: boolean },
  now: Date,
): DeviceDecision<DecisionOutcome> {
  const { by, isAllowed, isTurnedOff } = decision;
  if (!isEnteredBy(current.progress, by.sessionId) || hasExpired(current, now)) return { outcome: 'not_valid' };
  if (!isAllowed) return { outcome: 'decided', next: denied(current) };
  if (isTurnedOff) return { outcome: 'turned_off', next: denied(current) };
  return { outcome: 'decided', next: { ...current, progress: { step: 'allowed', by } } };
}

export type PollOutcome =
  | { readonly kind: 'pending' | 'slow_down' | 'denied' | 'expired' }
  /** The code gave its tokens before, or is another client's. */
  | { readonly kind: 'not_valid'; readonly problem: string }
  | { readonly kind: 'allowed'; readonly by: Approval };

/**
 * A request for tokens. `company`: of the employee who has entered the code, when this was known before. What is allowed is redeemed with
 * this write, before the grant is made: of two programs one gets the tokens, and a crash in between leaves nothing that could be used.
 */
export function pollAuthorization(
  current: DeviceAuthorization,
  request: {
    readonly clientId: string;
    readonly company: { readonly id: string; readonly isTurnedOff: boolean } | null;
  },
  now: Date,
): DeviceDecision<PollOutcome> {
  const { progress, companyId } = current;
  if (current.clientId !== request.clientId) return notValid('the device code was issued to another client');
  if (progress.step === 'redeemed') return notValid('the device code was already used');
  if (progress.step === 'denied') return { outcome: { kind: 'denied' } };
  if (hasExpired(current, now)) return { outcome: { kind: 'expired' } };
  const company = request.company?.id === companyId ? request.company : null;
  if (company?.isTurnedOff) return { outcome: { kind: 'denied' }, next: denied(current) };
  // Allowed while the company was looked up: the next request gets the tokens.
  if (progress.step === 'allowed' && company)
    return { outcome: { kind: 'allowed', by: progress.by }, next: { ...current, progress: { step: 'redeemed' } } };
  return wait(current, now);
}

/** RFC 8628 section 3.5: a program that asks too often waits longer from then on. */
function wait(current: DeviceAuthorization, now: Date): DeviceDecision<PollOutcome> {
  const { lastPolledAt, intervalSecs } = current;
  const elapsedMs = lastPolledAt ? now.getTime() - lastPolledAt.getTime() : Infinity;
  // A clock that went back says nothing about the program.
  const isTooFast = elapsedMs >= 0 && elapsedMs < intervalSecs * 1000 - POLL_TOLERANCE_MS;
  const polled = { ...current, lastPolledAt: now };
  if (!isTooFast) return { outcome: { kind: 'pending' }, next: polled };
  return { outcome: { kind: 'slow_down' }, next: { ...polled, intervalSecs: intervalSecs + SLOW_DOWN_SECS } };
}

function notValid(problem: string): DeviceDecision<PollOutcome> {
  return { outcome: { kind: 'not_valid', problem } };
}

function denied(current: DeviceAuthorization): DeviceAuthorization {
  return { ...current, progress: { step: 'denied' } };
}

function isEnteredBy(progress: Progress, sessionId: string): boolean {
  return progress.step === 'entered' && progress.sessionId === sessionId;
}

function hasExpired({ expiresAt }: DeviceAuthorization, now: Date): boolean {
  return expiresAt <= now;
}
