import { decided } from '@parley/errors';
import { openDocuments } from '@parley/store';
import type { Db } from 'mongodb';
import type { Transcript } from '../calls/model/transcript.ts';

/** The transcripts of calls. */
export interface Transcripts {
  save(transcript: Transcript): Promise<void>;
  get(companyId: string, callId: string): Promise<Transcript | undefined>;
  getMany(companyId: string, callIds: readonly string[]): Promise<ReadonlyMap<string, Transcript>>;
}

export async function openTranscripts(db: Db): Promise<Transcripts> {
  const transcripts = await openDocuments<Transcript>({ db, collection: 'transcripts' });
  return {
    async save(transcript) {
      await transcripts.of(transcript.companyId).upsert(transcript.id, () => decided(transcript));
    },
    get: (companyId, callId) => transcripts.of(companyId).get(callId),
    async getMany(companyId, callIds) {
      if (callIds.length === 0) return new Map();
      const found = await Array.fromAsync(transcripts.of(companyId).find({ id: { $in: [...callIds] } }, { id: 1 }));
      return new Map(found.map((transcript) => [transcript.id, transcript]));
    },
  };
}
