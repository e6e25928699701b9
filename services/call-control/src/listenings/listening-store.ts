import { createHash } from 'node:crypto';
import type { Clock } from '@parley/clock';
import { encodeMessage } from '@parley/events';
import { openAggregates, type Relay } from '@parley/aggregates';
import type { Db } from 'mongodb';
import type { Calls } from '../calls/store/call-store.ts';
import { callIdOf } from '../recordings/recording-file.ts';
import type { SignedRecording } from '../recordings/recording-signer.ts';
import type { Voicemails } from '../voicemails/voicemail-store.ts';
import {
  beginListening,
  type Listening,
  type ListeningEvent,
  type Played,
  playedOfCall,
  playedOfVoicemail,
} from './listening.ts';

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
