import { createHash } from 'node:crypto';
import type { Clock } from '@parley/clock';
import { encodeMessage } from '@parley/events';
import { openAggregates, type Relay } from '@parley/aggregates';
import type { Db } from 'mongodb';
import type { Audited, AuditEntry } from '@parley/actor';
import { decided, type Decision } from '@parley/errors';
import type { Calls } from '../calls/store/call-store.ts';
import { callIdOf, type SignedRecording } from '../recordings/recording-file.ts';
import type { Voicemails } from '../voicemails/voicemail-store.ts';
import type { Call } from '../calls/model/call.ts';
import type { Voicemail } from '../voicemails/voicemail.ts';

/** Records that audio is listened to, before it is. */
export type Listenings = Awaited<ReturnType<typeof openListenings>>;

const EXPIRY_EVERY_MS = 3600 * 1000;

export async function openListenings(options: {
  db: Db;
  relay: Relay;
  clock: Clock;
  calls: Pick<Calls, 'acrossCompanies'>;
  voicemails: Pick<Voicemails, 'acrossCompanies'>;
}) {
  const { relay, clock, calls, voicemails } = options;
  const listenings = await openAggregates<Listening, ListeningEvent>({
    ...options,
    collection: 'listenings',
    encode: ({ type, callId, voicemailId }) =>
      encodeMessage(type, { callId, ...(voicemailId !== undefined && { voicemailId }) }),
    indexes: [{ name: 'expires', key: { expiresAt: 1 } }],
  });
  const expiry = listenings.startExpiry({
    expired: () => ({ expiresAt: { $lt: clock.now() } }),
    everyMs: EXPIRY_EVERY_MS,
    backgroundWork: relay.backgroundWork,
    log: relay.telemetry.log,
  });
  /** The signature has proven that the address is ours, so the company follows from the call, or from a voicemail that outlived it. */
  async function findPlayed(name: string): Promise<Played | undefined> {
    const callId = callIdOf(name);
    if (callId === undefined) return undefined;
    const call = await calls.acrossCompanies.get(callId);
    if (call) return playedOfCall(call, name);
    const voicemail = await voicemails.acrossCompanies.findOne({ recording: name });
    return voicemail && playedOfVoicemail(voicemail);
  }
  return {
    /** What an address that was verified plays; undefined when it is gone. */
    findPlayed,
    /** Resolves when it is stored; repeating it with the same address changes nothing. */
    async record({ name, expires, signature }: SignedRecording): Promise<void> {
      const played = await findPlayed(name);
      if (!played) return;
      const { companyId } = played;
      const id = `lis_${createHash('sha256').update(`${name} ${signature}`).digest('hex').slice(0, 32)}`;
      const listening = { id, companyId, expiresAt: new Date(expires * 1000) };
      await listenings.of(companyId).upsert(id, (current) => beginListening(current, listening, played));
    },
    stop: () => expiry.stop(),
  };
}

/** That audio was listened to: a signed address of it was used. */
interface Listening {
  /** Follows from the address. */
  readonly id: string;
  readonly companyId: string;
  /** When the address is no longer valid: the same one is not used again. */
  readonly expiresAt: Date;
}

interface ListeningEvent extends Audited {
  readonly type: 'call-control.recording.played';
  readonly callId: string;
  /** Undefined for the recording of a conversation. */
  readonly voicemailId: string | undefined;
}

interface Played extends Pick<ListeningEvent, 'callId' | 'voicemailId'> {
  readonly companyId: string;
  readonly numberName: string;
}

/** Using an address begins one listening, however many parts of the audio are read. */
function beginListening(
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

function playedOfCall({ id, companyId, number, voicemailId, recordings }: Call, recording: string): Played {
  const { kind } = recordings.find(({ name }) => name === recording) ?? {};
  const ofVoicemail = kind === 'voicemail' ? (voicemailId ?? undefined) : undefined;
  return { companyId, callId: id, voicemailId: ofVoicemail, numberName: number.name };
}

function playedOfVoicemail({ id, companyId, callId, number }: Voicemail): Played {
  return { companyId, callId, voicemailId: id, numberName: number.name };
}
