import { type Decision, decided } from '@parley/errors';
import type { Call, CallNumber } from '../calls/model/call.ts';

/** A message that a caller left. */
export interface Voicemail {
  readonly id: string;
  readonly companyId: string;
  readonly callId: string;
  /** E.164, or `anonymous`. */
  readonly from: string;
  readonly number: Pick<CallNumber, 'id' | 'name' | 'number' | 'formatted'>;
  /** Name of the stored audio. */
  readonly recording: string;
  readonly createdAt: Date;
  readonly durationSecs: number | null;
  readonly listenedAt: Date | null;
  /** Counted in the number of unlistened voicemails. */
  readonly isListened: boolean;
  /** Absent until it is transcribed. */
  readonly sealedTranscription?: string;
}

export type VoicemailEvent =
  | {
      readonly type: 'call-control.voicemail.created' | 'call-control.voicemail.transcription_done';
      readonly voicemail: Voicemail;
      readonly call: Call;
    }
  | {
      readonly type: 'call-control.voicemail.updated' | 'call-control.voicemail.deleted';
      readonly voicemail: Voicemail;
    };

export interface VoicemailCommand {
  readonly kind: 'remove_audio';
  readonly callId: string;
  readonly recording: string;
}

type VoicemailDecision<Next extends Voicemail | null> = Decision<Next, VoicemailEvent, VoicemailCommand>;

/** A caller has left a voicemail. */
export function createVoicemail(
  call: Call,
  left: { voicemailId: string; recording: string },
  now: Date,
): VoicemailDecision<Voicemail> {
  const { id, name, number, formatted } = call.number;
  const durationMs = call.recordings.find((recording) => recording.name === left.recording)?.durationMs ?? null;
  const voicemail: Voicemail = {
    id: left.voicemailId,
    companyId: call.companyId,
    callId: call.id,
    from: call.from,
    number: { id, name, number, formatted },
    recording: left.recording,
    createdAt: call.endedAt ?? now,
    durationSecs: durationMs === null ? null : Math.round(durationMs / 1000),
    listenedAt: null,
    isListened: false,
  };
  return decided(voicemail, [{ type: 'call-control.voicemail.created', voicemail, call }]);
}

/** The first time is kept; marking it as not listened clears it. */
export function markListened(current: Voicemail, listened: boolean, now: Date): VoicemailDecision<Voicemail> {
  if (current.isListened === listened) return decided(current);
  const voicemail = { ...current, isListened: listened, listenedAt: listened ? now : null };
  return decided(voicemail, [{ type: 'call-control.voicemail.updated', voicemail }]);
}

export function isTranscribed({ sealedTranscription }: Voicemail): boolean {
  return sealedTranscription !== undefined;
}

/** The audio was transcribed; without speech the transcription is empty. */
export function transcribeVoicemail(current: Voicemail, sealed: string, call: Call): VoicemailDecision<Voicemail> {
  if (isTranscribed(current)) return decided(current);
  const voicemail = { ...current, sealedTranscription: sealed };
  return decided(voicemail, [{ type: 'call-control.voicemail.transcription_done', voicemail, call }]);
}

/** The same for a voicemail of a person who is erased: the event does not say who it was. */
export function eraseVoicemail(current: Voicemail, erasedNumber: string): VoicemailDecision<null> {
  const { sealedTranscription: _, ...rest } = current;
  return deleteVoicemail({ ...rest, from: erasedNumber });
}

/** The audio is deleted with the voicemail. */
export function deleteVoicemail(current: Voicemail): VoicemailDecision<null> {
  return decided(null, [{ type: 'call-control.voicemail.deleted', voicemail: current }], {
    commands: [{ kind: 'remove_audio', callId: current.callId, recording: current.recording }],
  });
}
