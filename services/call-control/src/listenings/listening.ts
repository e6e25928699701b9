import type { AuditEntry, Audited } from '@parley/actor';
import { type Decision, decided } from '@parley/errors';
import type { Call } from '../calls/model/call.ts';
import type { Voicemail } from '../voicemails/voicemail.ts';

/** That audio was listened to: a signed address of it was used. */
export interface Listening {
  /** Follows from the address. */
  readonly id: string;
  readonly companyId: string;
  /** When the address is no longer valid: the same one is not used again. */
  readonly expiresAt: Date;
}

export interface ListeningEvent extends Audited {
  readonly type: 'call-control.recording.played';
  readonly callId: string;
  /** Undefined for the recording of a conversation. */
  readonly voicemailId: string | undefined;
}

export interface Played extends Pick<ListeningEvent, 'callId' | 'voicemailId'> {
  readonly companyId: string;
  readonly numberName: string;
}

/** Using an address begins one listening, however many parts of the audio are read. */
export function beginListening(
  current: Listening | undefined,
  listening: Listening,
  { callId, voicemailId, numberName: name }: Played,
): Decision<Listening, ListeningEvent> {
  if (current) return decided(current);
  const audit: AuditEntry =
    voicemailId === undefined
      ? { type: 'recording.played', object: { type: 'call', id: callId, name }, changes: {} }
      : { type: 'voicemail.played', object: { type: 'voicemail', id: voicemailId, name }, changes: {} };
  return decided(listening, [{ type: 'call-control.recording.played', callId, voicemailId, audit }]);
}

export function playedOfCall({ id, companyId, number, voicemailId, recordings }: Call, recording: string): Played {
  const { kind } = recordings.find(({ name }) => name === recording) ?? {};
  const ofVoicemail = kind === 'voicemail' ? (voicemailId ?? undefined) : undefined;
  return { companyId, callId: id, voicemailId: ofVoicemail, numberName: number.name };
}

export function playedOfVoicemail({ id, companyId, callId, number }: Voicemail): Played {
  return { companyId, callId, voicemailId: id, numberName: number.name };
}
