import type { Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import { type Aggregates, openAggregates, type Relay } from '@parley/outbox';
import type { Db } from 'mongodb';
import type { SaveVoicemail } from './save-voicemail.ts';
import { createVoicemail, type Voicemail, type VoicemailEvent } from './voicemail.ts';
import { encodeVoicemailEvent } from './voicemail-proto.ts';

export type Voicemails = Aggregates<Voicemail, VoicemailEvent>;

export function openVoicemails(options: { db: Db; relay: Relay; clock: Clock }): Promise<Voicemails> {
  return openAggregates<Voicemail, VoicemailEvent>({
    ...options,
    collection: 'voicemails',
    encode: encodeVoicemailEvent,
    indexes: [{ name: 'newest', key: { companyId: 1, createdAt: -1, _id: -1 } }],
  });
}

/** The id comes from the call, so saving it again finds it saved. */
export function saveVoicemailIn(voicemails: Voicemails, clock: Clock): SaveVoicemail {
  return async (call, left) => {
    await voicemails
      .of(call.companyId)
      .upsert(left.voicemailId, (current) => (current ? decided(current) : createVoicemail(call, left, clock.now())));
  };
}
