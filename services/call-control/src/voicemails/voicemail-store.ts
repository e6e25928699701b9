import type { Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import { type Aggregates, openAggregates, type Relay, type RunningCommands } from '@parley/aggregates';
import type { Db } from 'mongodb';
import type { Call } from '../calls/model/call.ts';
import { createVoicemail, type Voicemail, type VoicemailCommand, type VoicemailEvent } from './voicemail.ts';
import { encodeVoicemailEvent } from './voicemail-proto.ts';
import type { CallPosition } from '../calls/store/call-store.ts';
import type { CallRunner } from '../calls/store/call-runner.ts';
import type { Blobs } from '../recordings/blob-store.ts';

export type Voicemails = Aggregates<Voicemail, VoicemailEvent, VoicemailCommand>;

/** The order of lists, backed by the index of the same fields. */
export const NEWEST_VOICEMAIL_FIRST = { createdAt: -1, id: -1 } as const;

/** The same from its other end. */
export const OLDEST_VOICEMAIL_FIRST = { createdAt: 1, id: 1 } as const;

export function openVoicemails(options: { db: Db; relay: Relay; clock: Clock }): Promise<Voicemails> {
  return openAggregates<Voicemail, VoicemailEvent, VoicemailCommand>({
    ...options,
    collection: 'voicemails',
    encode: encodeVoicemailEvent,
    indexes: [
      { name: 'newest', key: { companyId: 1, createdAt: -1, _id: -1 } },
      { name: 'unlistened', key: { companyId: 1, isListened: 1 }, partialFilterExpression: { isListened: false } },
      { name: 'recording', key: { recording: 1, companyId: 1 } },
      { name: 'person', key: { companyId: 1, from: 1, createdAt: 1, _id: 1 } },
    ],
  });
}

/** The newest voicemails of a company, behind the last one of the page before. */
export function newestVoicemails(
  { of }: Pick<Voicemails, 'of'>,
  companyId: string,
  limit: number,
  after?: CallPosition,
): Promise<Voicemail[]> {
  const behind = after && {
    createdAt: { $lte: after.startedAt },
    $or: [{ createdAt: { $lt: after.startedAt } }, { id: { $lt: after.id } }],
  };
  return Array.fromAsync(of(companyId).find({ ...behind }, NEWEST_VOICEMAIL_FIRST, limit));
}

/** Saves what a caller left. The id comes from the call, so saving it again finds it saved, or deleted since. */
export async function saveVoicemail(
  voicemails: Voicemails,
  call: Call,
  left: { voicemailId: string; recording: string },
  now: Date,
): Promise<void> {
  if (call.recordings.some(({ name, isDeleted }) => name === left.recording && isDeleted)) return;
  await voicemails
    .of(call.companyId)
    .upsert(left.voicemailId, (current) => (current ? decided(current) : createVoicemail(call, left, now)));
}

/** Removes the audio of deleted voicemails. */
export function startVoicemailRemoval(deps: {
  voicemails: Voicemails;
  runner: CallRunner;
  blobs: Blobs;
}): RunningCommands {
  const { voicemails, runner, blobs } = deps;
  return voicemails.startCommands({
    remove_audio: {
      guarantee: 'until_confirmed',
      async execute({ callId, recording }, { companyId }) {
        // First: audio that arrives after this is not kept.
        await runner.apply({ companyId, id: callId }, { type: 'voicemail_deleted', recording });
        await blobs.remove(recording);
      },
    },
  });
}
