import { decided } from '@parley/errors';
import type { Encryptor } from '@parley/secrets';
import { openDocuments } from '@parley/aggregates';
import type { Db } from 'mongodb';
import type { Transcript } from '../calls/model/transcript.ts';

/** The transcripts of calls, encrypted in the database. */
export type Transcripts = Awaited<ReturnType<typeof openTranscripts>>;

type Content = Omit<Transcript, 'id' | 'companyId'>;

const STARTED_AT = 'startedAt';

/** `sealed`: the content as JSON. */
type StoredTranscript = Pick<Transcript, 'id' | 'companyId'> & { readonly sealed: string };

/** Binds an encrypted transcript to its call. */
export function transcriptContext(callId: string): string {
  return `transcript/${callId}/content`;
}

export async function openTranscripts(db: Db, { encrypt, decrypt }: Pick<Encryptor, 'encrypt' | 'decrypt'>) {
  const transcripts = await openDocuments<StoredTranscript>({ db, collection: 'transcripts' });

  function open({ id, companyId, sealed }: StoredTranscript): Transcript {
    const content = JSON.parse(decrypt(sealed, transcriptContext(id)), (key, value: unknown) =>
      key === STARTED_AT && typeof value === 'string' ? new Date(value) : value,
    ) as Content;
    return { id, companyId, ...content };
  }

  function seal({ id, companyId, ...content }: Transcript): StoredTranscript {
    return { id, companyId, sealed: encrypt(JSON.stringify(content), transcriptContext(id)) };
  }

  return {
    async save(transcript: Transcript): Promise<void> {
      await transcripts.of(transcript.companyId).upsert(transcript.id, () => decided(seal(transcript)));
    },
    /** Undefined is given where there is none. */
    async change(
      companyId: string,
      callId: string,
      change: (current: Transcript | undefined) => Transcript,
    ): Promise<Transcript> {
      const changed = await transcripts
        .of(companyId)
        .upsert(callId, (current) => decided(seal(change(current && open(current)))));
      return open(changed);
    },
    async get(companyId: string, callId: string): Promise<Transcript | undefined> {
      const stored = await transcripts.of(companyId).get(callId);
      return stored && open(stored);
    },
    async getMany(companyId: string, callIds: readonly string[]): Promise<ReadonlyMap<string, Transcript>> {
      if (callIds.length === 0) return new Map();
      const found = await Array.fromAsync(transcripts.of(companyId).find({ id: { $in: [...callIds] } }, { id: 1 }));
      return new Map(found.map((stored) => [stored.id, open(stored)]));
    },
    /** Also when there is none. */
    async remove(companyId: string, callId: string): Promise<void> {
      await transcripts.of(companyId).changeIfExists(callId, () => decided(null));
    },
  };
}
