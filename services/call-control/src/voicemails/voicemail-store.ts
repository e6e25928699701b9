import type { Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import { type Aggregates, openAggregates, type Relay } from '@parley/aggregates';
import type { Db } from 'mongodb';
import type { SaveVoicemail, WithdrawVoicemail } from './save-voicemail.ts';
import {
  createVoicemail,
  deleteVoicemail,
  type Voicemail,
  type VoicemailCommand,
  type VoicemailEvent,
} from './voicemail.ts';
import { encodeVoicemailEvent } from './voicemail-proto.ts';

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

/** The id comes from the call, so saving it again finds it saved, or deleted since. */
export function saveVoicemailIn(voicemails: Voicemails, clock: Clock): SaveVoicemail {
  return async (call, left) => {
    if (call.recordings.some(({ name, isDeleted }) => name === left.recording && isDeleted)) return;
    await voicemails
      .of(call.companyId)
      .upsert(left.voicemailId, (current) => (current ? decided(current) : createVoicemail(call, left, clock.now())));
  };
}

export function withdrawVoicemailFrom(voicemails: Voicemails): WithdrawVoicemail {
  return async (companyId, voicemailId) => {
    await voicemails.of(companyId).changeIfExists(voicemailId, deleteVoicemail);
  };
}
