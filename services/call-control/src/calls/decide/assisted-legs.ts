import type { Call } from '../model/call.ts';
import type { AssistedPhase } from '../model/call-assistant.ts';
import type { CallDraft } from './call-draft.ts';
import { maskRecording, startRecording } from './conversation-recording.ts';
import { playWaitAudio } from './play-audio.ts';

/** The switch reports a bridge immediately; otherwise it is ordered again. */
const BRIDGE_OVERDUE_MS = 5000;
/** The caller is with the assistant, or with the fallback, within this time. */
const CONNECT_MS = 5000;

/** The legs that are to be connected now; undefined when none are, or one of them does not exist yet. */
export function wantedLegs({
  phase,
  customerLegId,
}: Pick<Call, 'phase' | 'customerLegId'>): readonly [string, string] | undefined {
  if (phase.kind !== 'assisted') return undefined;
  const { stage, assistantLegId, playId } = phase;
  // Whoever talks with the caller waits for the end of the announcement.
  const isAnnouncing = playId !== null;
  switch (stage.kind) {
    case 'talking':
      return assistantLegId === null || isAnnouncing ? undefined : [customerLegId, assistantLegId];
    case 'whispering':
      return assistantLegId === null ? undefined : [assistantLegId, stage.legId];
    case 'handing_over':
      return isAnnouncing ? undefined : [customerLegId, stage.legId];
    case 'transferring':
    case 'leaving':
      return undefined;
  }
}

/** The switch has reported the bridge of these legs, and nothing has ended it. */
export function isConnectedByAssistant(call: Pick<Call, 'phase' | 'customerLegId'>, legId: string): boolean {
  const { phase } = call;
  return phase.kind === 'assisted' && phase.link === 'bridged' && (wantedLegs(call)?.includes(legId) ?? false);
}

/** Connects the wanted legs once both wait for it: an order that is given earlier may be overtaken by the one before. */
export function connectWantedLegs(draft: CallDraft): void {
  const { phase } = draft.call;
  const legs = wantedLegs(draft.call);
  if (phase.kind !== 'assisted' || phase.link !== 'none' || !legs) return;
  if (legs.some((id) => !draft.leg(id)?.parked || draft.leg(id)?.hangingUp)) return;
  if (phase.stage.kind !== 'whispering') recordCaller(draft);
  draft.enter({ ...phase, link: 'ordered' });
  orderBridge(draft, legs);
}

/** The bridge was not reported in time. */
export function connectWantedLegsAgain(draft: CallDraft, phase: AssistedPhase): void {
  const legs = wantedLegs(draft.call);
  if (phase.link === 'ordered' && legs) orderBridge(draft, legs);
}

function orderBridge(draft: CallDraft, [legId, peerId]: readonly [string, string]): void {
  draft.control({ do: 'bridge', legId, peerId });
  draft.due('bridge_overdue', BRIDGE_OVERDUE_MS);
}

/** With an announcement, the recording starts at its end. */
function recordCaller(draft: CallDraft): void {
  const { number, recordings } = draft.call;
  if (recordings.length === 0 && !number.recordingAnnouncement) startRecording(draft);
  else maskRecording(draft, false);
}

/** The wanted legs are connected, as the switch reports. False when that is known, or not what was ordered last. */
export function isWantedConnection(
  call: Pick<Call, 'phase' | 'customerLegId'>,
  { legId, peerId }: { readonly legId: string; readonly peerId: string },
): boolean {
  const { phase } = call;
  const legs = wantedLegs(call);
  return phase.kind === 'assisted' && phase.link === 'ordered' && !!legs?.includes(legId) && legs.includes(peerId);
}

/**
 * The legs that are connected, or about to be, wait for us again: whatever follows begins when the switch reports that they do. One
 * that has reported it since the bridge does: its peer has ended, whether or not that was reported.
 */
export function separateLegs(draft: CallDraft): void {
  const { phase } = draft.call;
  const legs = wantedLegs(draft.call)?.filter((id) => draft.leg(id));
  if (phase.kind !== 'assisted' || phase.link === 'none' || !legs) return;
  const isBridged = phase.link === 'bridged';
  const moved = legs.filter((id) => !isBridged || !draft.leg(id)?.parked);
  for (const id of moved) draft.changeLeg(id, { parked: false });
  // One order moves both of a bridge. Where it is not known whether there is one, each of them is told by itself.
  for (const id of isBridged ? moved.slice(0, 1) : moved) parkLeg(draft, id);
  draft.cancel('bridge_overdue');
  draft.enter({ ...phase, link: 'none' });
}

/** A leg, and the one that it may be connected with, wait for us. */
export function parkLeg(draft: CallDraft, legId: string): void {
  if (draft.leg(legId)) draft.control({ do: 'park', legId });
}

/** The wait audio for a caller who waits: while somebody is rung, and while the assistant is lost. */
export function playToWaitingCaller(draft: CallDraft): void {
  const { phase, assistant, customerLegId } = draft.call;
  if (phase.kind !== 'assisted' || !draft.leg(customerLegId)?.parked) return;
  const { stage, assistantLegId } = phase;
  const isLost = stage.kind === 'talking' && assistantLegId === null && assistant?.since;
  if (stage.kind === 'transferring' || stage.kind === 'whispering' || isLost) playWaitAudio(draft);
}

/** A leg of a connection waits, which nobody ordered: both are connected again once both wait. */
export function assistedLegParked(draft: CallDraft, phase: AssistedPhase): void {
  const legs = wantedLegs(draft.call);
  if (phase.link !== 'bridged' || !legs?.every((id) => draft.leg(id)?.parked)) return;
  draft.enter({ ...phase, link: 'none' });
  if (phase.stage.kind === 'talking') awaitConnection(draft);
}

/** Caller and assistant, or who takes over, have to be connected in time. */
export function awaitConnection(draft: CallDraft): void {
  draft.due('assistant_connect', CONNECT_MS);
}
