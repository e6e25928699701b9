import { type Decision, decided } from '@parley/errors';
import type { Call, CallNumber } from '../calls/call.ts';

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
  readonly transcription: string | null;
}

export interface VoicemailEvent {
  readonly type: 'call-control.voicemail.created';
  readonly voicemail: Voicemail;
  readonly call: Call;
}

/** A caller has left a voicemail. */
export function createVoicemail(
  call: Call,
  left: { voicemailId: string; recording: string },
  now: Date,
): Decision<Voicemail, VoicemailEvent> {
  const { id, name, number, formatted } = call.number;
  const durationMs = call.recordings.find((recording) => recording.name === left.recording)?.durationMs ?? null;
  const voicemail: Voicemail = {
    id: left.voicemailId,
    companyId: call.companyId,
    callId: call.id,
    from: call.from,
    number: { id, name, number, formatted },
    recording: left.recording,
    createdAt: now,
    durationSecs: durationMs === null ? null : Math.round(durationMs / 1000),
    listenedAt: null,
    transcription: null,
  };
  return decided(voicemail, [{ type: 'call-control.voicemail.created', voicemail, call }]);
}
