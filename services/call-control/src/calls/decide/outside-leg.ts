import type { Leg, OutsideLeg } from '../model/call.ts';
import { openTransfer } from '../model/transfer.ts';
import type { CallDraft } from './call-draft.ts';

/** The key that accepts a call. */
const ACCEPT_KEY = '1';
/** The time to press the key after the call is answered. */
const KEY_SECS = 20;
const PROMPT_PLAYS = 3;
/** The switch's own timer is the second one: seconds are coarse there. */
export const RING_LEEWAY_SECS = 5;

/** The network could not be reached through this carrier; another one may. Anything else is the other side's answer. */
const CARRIER_FAILURES = new Set([
  'NORMAL_TEMPORARY_FAILURE',
  'NETWORK_OUT_OF_ORDER',
  'NO_ROUTE_DESTINATION',
  'GATEWAY_DOWN',
  'SERVICE_UNAVAILABLE',
  'RECOVERY_ON_TIMER_EXPIRE',
  'SWITCH_CONGESTION',
  'NORMAL_CIRCUIT_CONGESTION',
  'DESTINATION_OUT_OF_ORDER',
]);

/** Another carrier may succeed after these causes. */
function isCarrierFailure(cause: string): boolean {
  return CARRIER_FAILURES.has(cause);
}

/** The carrier to try after this cause; undefined when there is none. */
export function nextCarrier(
  { carrier, carriers }: { carrier: number; carriers: number },
  cause: string,
): number | undefined {
  return isCarrierFailure(cause) && carrier + 1 < carriers ? carrier + 1 : undefined;
}

/** A phone outside the company that is rung for a call. */
interface OutsidePhone {
  /** E.164. */
  readonly to: string;
  /** Whose phone; null when it is nobody's of the company. */
  readonly employeeId: string | null;
  readonly ringSecs: number;
  readonly needsKey: boolean;
}

/** Rings a phone outside the company; its leg. */
export function ringOutside(draft: CallDraft, { to, employeeId, ringSecs, needsKey }: OutsidePhone): string {
  const until = inSecs(draft, ringSecs);
  const legId = dialBy(draft, { id: draft.newId(), employeeId }, { to, carrier: 0, needsKey, until });
  // Generated while the phone rings.
  if (needsKey) draft.addCommand({ kind: 'prepare_key_prompt' });
  return legId;
}

function dialBy(draft: CallDraft, leg: Pick<Leg, 'id' | 'employeeId'>, outside: OutsideLeg): string {
  const { to, carrier, until } = outside;
  draft.addLeg({ ...leg, outside });
  const ringSecs = Math.max(1, Math.ceil(((until?.getTime() ?? 0) - draft.now.getTime()) / 1000));
  draft.addCommand({ kind: 'dial', legId: leg.id, to, carrier, timeoutSecs: ringSecs + RING_LEEWAY_SECS, asks: true });
  awaitOutsideLegs(draft);
  return leg.id;
}

/** The network could not be reached: the next carrier is tried. The new leg; undefined when there is nothing to try. */
export function redialOutside(draft: CallDraft, { employeeId, outside, status, hangingUp }: Leg, cause: string) {
  if (!outside || status === 'answered' || hangingUp || !isCarrierFailure(cause)) return undefined;
  return dialBy(draft, { id: draft.newId(), employeeId }, { ...outside, carrier: outside.carrier + 1 });
}

/** The legs of an offer or a transfer without one that has ended, with the one that is dialled instead. */
export function remainingLegs(
  draft: CallDraft,
  legIds: readonly string[],
  ended: Leg,
  cause: string,
): readonly string[] {
  const redialled = redialOutside(draft, ended, cause);
  return legIds.flatMap((id) => (id === ended.id ? (redialled ?? []) : id));
}

/** A phone outside the company has answered. Whether it is to be connected now: not before the key. */
export function outsideAnswered(draft: CallDraft, legId: string, outside: OutsideLeg): boolean {
  if (!outside.needsKey) return accepted(draft, legId, outside);
  changeOutside(draft, legId, { ...outside, until: inSecs(draft, KEY_SECS) });
  giveTimeForKey(draft, legId);
  askForKey(draft, legId);
  return false;
}

/** Whoever is rung alone, as the target of a transfer or as its controller, has the time of the key too. */
function giveTimeForKey(draft: CallDraft, legId: string): void {
  const { phase, number, transfers } = draft.call;
  if (openTransfer(transfers)?.targetLegIds.includes(legId)) draft.due('transfer_ring', KEY_SECS * 1000);
  else if (phase.kind === 'returning') draft.due('employee_ring', KEY_SECS * 1000);
  else if (phase.kind === 'waiting' && number.ringStrategy) draft.due('ring_next', KEY_SECS * 1000);
}

/** A key was pressed on a phone outside the company. Whether it is to be connected now. */
export function outsideKey(draft: CallDraft, { id, outside, status, hangingUp }: Leg, key: string): boolean {
  if (!outside?.needsKey || !outside.until || status !== 'answered' || hangingUp || key !== ACCEPT_KEY) return false;
  draft.control({ do: 'stop_audio', legId: id });
  return accepted(draft, id, outside);
}

function accepted(draft: CallDraft, legId: string, outside: OutsideLeg): boolean {
  changeOutside(draft, legId, { ...outside, until: null });
  draft.note({ type: 'leg', what: 'outside_accepted', legId });
  return true;
}

function changeOutside(draft: CallDraft, legId: string, outside: OutsideLeg): void {
  draft.changeLeg(legId, { outside });
  awaitOutsideLegs(draft);
}

/** The audio that asks for the key exists. */
export function keyPromptPrepared(draft: CallDraft, promptHash: string): void {
  for (const { id, outside } of draft.call.legs) {
    if (!outside?.needsKey || outside.promptHash !== undefined) continue;
    draft.changeLeg(id, { outside: { ...outside, promptHash } });
    askForKey(draft, id);
  }
}

/** Once the phone waits for it and the audio exists, whichever comes later. */
export function askForKey(draft: CallDraft, legId: string): void {
  const leg = draft.leg(legId);
  const { until, promptHash: contentHash } = leg?.outside ?? {};
  if (!leg?.parked || leg.status !== 'answered' || leg.hangingUp || !until || contentHash === undefined) return;
  const play = () => ({ do: 'play', legId, playId: draft.newId(), audio: { kind: 'prompt', contentHash } }) as const;
  draft.control(...Array.from({ length: PROMPT_PLAYS }, play));
}

/** One timer for all of them: it belongs to the one that is given up first. */
export function awaitOutsideLegs(draft: CallDraft): void {
  const next = Math.min(...awaited(draft).map(({ until }) => until));
  if (Number.isFinite(next)) draft.due('outside_leg', Math.max(0, next - draft.now.getTime()));
  else draft.cancel('outside_leg');
}

/** The same where some may have been hung up. Most calls have none, and no timer to cancel. */
export function awaitRemainingOutsideLegs(draft: CallDraft): void {
  if (draft.call.legs.some(({ outside }) => outside)) awaitOutsideLegs(draft);
}

/** The legs that have not answered, or not pressed the key, in time. */
export function overdueOutsideLegs(draft: CallDraft): readonly string[] {
  return awaited(draft)
    .filter(({ until }) => until <= draft.now.getTime())
    .map(({ id }) => id);
}

function awaited({ call }: CallDraft): readonly { readonly id: string; readonly until: number }[] {
  return call.legs.flatMap(({ id, outside, hangingUp }) =>
    outside?.until && !hangingUp ? [{ id, until: outside.until.getTime() }] : [],
  );
}

function inSecs(draft: CallDraft, secs: number): Date {
  return new Date(draft.now.getTime() + secs * 1000);
}
