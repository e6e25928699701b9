import type { AuditEntry, Audited } from '@parley/actor';
import { type Decision, decided } from '@parley/errors';
import type { Call } from '../calls/model/call.ts';

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

/** Using an address begins one listening, however many parts of the audio are read. */
export function beginListening(
  current: Listening | undefined,
  listening: Listening,
  { call, recording }: { readonly call: Call; readonly recording: string },
): Decision<Listening, ListeningEvent> {
  if (current) return decided(current);
  const { kind } = call.recordings.find(({ name }) => name === recording) ?? {};
  const voicemailId = kind === 'voicemail' ? (call.voicemailId ?? undefined) : undefined;
  const { name } = call.number;
  const audit: AuditEntry =
    voicemailId === undefined
      ? { type: 'recording.played', object: { type: 'call', id: call.id, name }, changes: {} }
      : { type: 'voicemail.played', object: { type: 'voicemail', id: voicemailId, name }, changes: {} };
  return decided(listening, [{ type: 'call-control.recording.played', callId: call.id, voicemailId, audit }]);
}
