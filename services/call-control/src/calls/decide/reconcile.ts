import type { LegSnapshot } from '../model/leg-event.ts';
import type { Call, Leg } from '../model/call.ts';
import type { CallCommand, CommandResult } from '../model/call-command.ts';
import type { CallDraft, InputDraft } from './call-draft.ts';
import type { CallInput } from '../model/call-input.ts';
import { isConnectedByAssistant } from './assisted-legs.ts';
import { recordVoicemailAgain } from './record-voicemail.ts';

/**
 * Derives the inputs of events that were missed while the switch was not connected. A leg whose
 * creation is not confirmed and that the switch does not have is left to the command that creates it.
 */
export function reconcile(
  draft: InputDraft,
  { legs: snapshots, gone }: Extract<CallInput, { type: 'reconciled' }>,
): void {
  const seen = new Map(snapshots.map((snapshot) => [snapshot.legId, snapshot]));
  for (const { id, status } of draft.call.legs) {
    if (!gone.includes(id) || status === 'ordered') continue;
    // It may have been created since the switch was queried: it is queried again.
    if (status === 'dialing' && !hasArrived(draft, id)) recheck(draft, id);
    else draft.apply({ type: 'leg_ended', legId: id, cause: 'GONE' });
  }
  for (const snapshot of snapshots) for (const missed of missedBy(draft, snapshot)) draft.apply(missed);
  const customer = seen.get(draft.call.customerLegId);
  const { phase } = draft.call;
  // The order to play it may wait for its execution: it is asked for again behind that one.
  if (customer && customer.application !== null && isPlaying(phase) && missedPlayback(draft, customer).length > 0)
    draft.addCommand(checkAudio(draft.call, phase));
}

/** A phase that the end of audio moves on. */
type Playing = Extract<Call['phase'], { playId: unknown }> & { readonly playId: string };

function isPlaying(phase: Call['phase']): phase is Playing {
  return 'playId' in phase && phase.playId !== null;
}

/** Asks what became of the audio of a phase. */
export function checkAudio({ customerLegId: legId }: Call, phase: Playing): CallCommand {
  const { playId } = phase;
  return { kind: 'check_audio', legId, playId, ...(phase.kind === 'voicemail' && { recording: phase.recording }) };
}

/** The audio of the phase is not playing although all commands were executed: its end was missed. */
export function audioChecked(
  draft: InputDraft,
  { legId, playId }: Extract<CallCommand, { kind: 'check_audio' }>,
  { application, isBegun }: Extract<CommandResult, { kind: 'check_audio' }>,
): void {
  const { phase } = draft.call;
  if (application === null || !('playId' in phase) || phase.playId !== playId) return;
  if (phase.kind === 'voicemail' && isBegun === false) return recordVoicemailAgain(draft, phase);
  for (const missed of missedPlayback(draft, { legId, application })) draft.apply(missed);
}

/** It was not created by us. */
function hasArrived({ call }: CallDraft, legId: string): boolean {
  return call.direction === 'inbound' && !call.callback && legId === call.customerLegId;
}

function recheck(draft: CallDraft, legId: string): void {
  draft.changeLeg(legId, { status: 'ordered' });
  draft.addCommand({ kind: 'check_legs', legIds: [legId] });
}

function missedBy(draft: CallDraft, snapshot: LegSnapshot): readonly CallInput[] {
  const { legId, application, applicationData, isAnswered, memberId } = snapshot;
  const leg = draft.leg(legId);
  if (!leg) return [];
  return [
    // Nothing follows from the answer of a leg that has arrived, and it is not stored.
    ...(isAnswered && leg.status !== 'answered' && !hasArrived(draft, legId)
      ? [{ type: 'leg_answered', legId } as const]
      : []),
    ...(application === 'park' && !leg.parked ? [{ type: 'leg_parked', legId, arrival: null } as const] : []),
    ...(application === 'uuid_bridge' && !isBridged(draft, leg)
      ? [{ type: 'leg_bridged', legId, peerId: applicationData } as const]
      : []),
    ...(application === 'conference' && memberId !== null && leg.memberId === null
      ? [{ type: 'conference_joined', legId, room: roomOf(applicationData), memberId } as const]
      : []),
  ];
}

function isBridged({ call }: CallDraft, { id, parked, memberId }: Leg): boolean {
  return (call.state === 'bridged' || isConnectedByAssistant(call, id)) && !parked && memberId === null;
}

/** `room@profile`. */
function roomOf(applicationData: string): string {
  return applicationData.split('@')[0] ?? '';
}

function missedPlayback(
  draft: CallDraft,
  { legId, application }: Pick<LegSnapshot, 'legId' | 'application'>,
): readonly CallInput[] {
  const { phase, prompt } = draft.call;
  if ((prompt && !prompt.isPrepared) || !isPlaying(phase)) return [];
  switch (phase.kind) {
    case 'prompt':
    // A key may have been missed as well: the caller has the whole time for it again.
    case 'menu':
    case 'greeting':
    case 'beep':
    case 'message':
    case 'announcing':
    case 'assisted':
      return application === 'playback' || application === 'answer'
        ? []
        : [{ type: 'playback_finished', legId, playId: phase.playId, played: true }];
    case 'voicemail':
      return application === 'record'
        ? []
        : [{ type: 'recording_stopped', legId, recording: phase.recording, durationMs: null }];
    default:
      return [];
  }
}
