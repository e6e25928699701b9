import type { Clock } from '@parley/clock';
import { collidedIndex, dueIn, dueIndex, QUERY_TIME_MAX_MS, whileUnreachable } from '@parley/store';
import type { Collection, Db } from 'mongodb';
import { type AudioFiles, openAudioFiles } from './audio-files.ts';
import { type Prompt, promptKey } from './prompt.ts';
import { type PromptAudioDocument, type ReadyAudio, readyAudio, readyFields } from './prompt-audio-document.ts';
import { openPromptAudioQueue, type PromptAudioQueue } from './prompt-audio-queue.ts';
import type { Speech } from './speech-client.ts';

export interface PromptAudios {
  /** The audio of those prompts that have it. What is missing is queued for synthesis. */
  want(companyId: string, prompts: readonly Prompt[]): Promise<ReadonlyMap<string, ReadyAudio>>;
  get(key: string): Promise<ReadyAudio | undefined>;
  /** What is to be said under these keys, as far as they are known, and for whom. */
  prompts(keys: readonly string[]): Promise<ReadonlyMap<string, Prompt & { readonly companyId: string }>>;
  /** Keeps speech that was made out of turn, for a preview or a call, at least until `keepUntil`. */
  keep(companyId: string, prompt: Prompt, speech: Speech, keepUntil: Date): Promise<void>;
  /** Makes sure that existing audio stays until then; false when there is none. */
  keepUntil(key: string, keepUntil: Date): Promise<boolean>;
  /** Is called whenever something was queued. */
  onQueued(listener: () => void): void;
  readonly files: AudioFiles;
  /** For the worker. */
  readonly queue: PromptAudioQueue;
}

/** How long audio stays before it is checked again whether anybody needs it. */
export const KEEP_MS = 24 * 3600 * 1000;
/** Audio that is due for this check soon is kept longer by whoever reads it, so that none is removed while needed. */
const NEAR_MS = 3600 * 1000;

export async function openPromptAudios(db: Db, clock: Clock): Promise<PromptAudios> {
  const collection = db.collection<PromptAudioDocument>('prompts');
  await collection.createIndexes([
    { ...dueIndex },
    { key: { status: 1, companyId: 1, textLength: 1 }, name: 'pending_by_company' },
    { key: { status: 1, 'due.at': 1 }, name: 'status_due' },
  ]);
  const files = openAudioFiles(db);
  const listeners: (() => void)[] = [];
  const after = (ms: number) => new Date(clock.now().getTime() + ms);

  /** Queues prompts of which there is no audio; one that is queued already, or has audio by now, stays as it is. */
  async function enqueue(companyId: string, prompts: readonly Prompt[]): Promise<void> {
    const fresh = {
      status: 'pending' as const,
      companyId,
      failures: 0,
      keepUntil: after(KEEP_MS),
      due: dueIn(clock.now(), 0),
      dueLease: null,
    };
    const blank = { fileId: null, draftFileId: null, contentType: null, sizeBytes: 0, durationMs: 0, engine: null };
    // The old bytes of expired audio become a draft, which the next synthesis removes.
    const revive = [{ $set: { ...fresh, draftFileId: '$fileId', fileId: null } }];
    const writes = prompts.flatMap((prompt) => {
      const { text, language, voice } = prompt;
      const _id = promptKey(prompt);
      const whole = { ...fresh, ...blank, text, language, voice, textLength: text.length };
      return [
        { updateOne: { filter: { _id, status: 'expired' as const }, update: revive } },
        { updateOne: { filter: { _id }, update: { $setOnInsert: whole }, upsert: true } },
      ];
    });
    await whileUnreachable(() => collection.bulkWrite(writes, { ordered: false })).catch((error: unknown) => {
      // Another request queued the same in the same moment.
      if (collidedIndex(error) === undefined) throw error;
    });
  }

  async function keepUntil(key: string, until: Date): Promise<boolean> {
    const { matchedCount } = await whileUnreachable(() =>
      collection.updateOne({ _id: key, status: 'ready' }, { $max: { keepUntil: until } }),
    );
    return matchedCount > 0;
  }

  return {
    files,
    queue: openPromptAudioQueue({ collection, files, clock, enqueue }),
    keepUntil,
    onQueued: (listener) => void listeners.push(listener),
    async want(companyId, prompts) {
      if (prompts.length === 0) return new Map();
      const byKey = new Map(prompts.map((prompt) => [promptKey(prompt), prompt]));
      const found = await findWithoutText(collection, [...byKey.keys()]);
      const missing = new Map(byKey);
      const ready = new Map<string, ReadyAudio>();
      for (const document of found) {
        if (document.status === 'pending') missing.delete(document._id);
        if (document.status !== 'ready') continue;
        const near = document.keepUntil < after(NEAR_MS);
        if (near && !(await keepUntil(document._id, after(KEEP_MS)))) continue;
        missing.delete(document._id);
        ready.set(document._id, readyAudio(document));
      }
      if (missing.size > 0) {
        await enqueue(companyId, [...missing.values()]);
        listeners.forEach((listener) => listener());
      }
      return ready;
    },
    async get(key) {
      const [found] = await findWithoutText(collection, [key]);
      return found?.status === 'ready' ? readyAudio(found) : undefined;
    },
    async prompts(keys) {
      const projection = { text: 1, language: 1, voice: 1, companyId: 1 };
      const found = await whileUnreachable(() =>
        collection.find({ _id: { $in: [...keys] } }, { maxTimeMS: QUERY_TIME_MAX_MS, projection }).toArray(),
      );
      return new Map(
        found.map(({ _id, text, language, voice, companyId }) => [_id, { text, language, voice, companyId }]),
      );
    },
    async keep(companyId, prompt, speech, until) {
      const _id = promptKey(prompt);
      const fileId = files.newId();
      await files.write(fileId, speech.audio);
      const { text, language, voice } = prompt;
      const now = clock.now();
      const set = {
        ...readyFields(fileId, speech),
        companyId,
        text,
        language,
        voice,
        textLength: text.length,
        keepUntil: until,
        draftFileId: null,
        failures: 0,
        dueLease: null,
        due: dueIn(now, Math.max(0, until.getTime() - now.getTime())),
      };
      try {
        await collection.updateOne({ _id, status: { $ne: 'ready' } }, { $set: set }, { upsert: true });
      } catch (error) {
        if (collidedIndex(error) === undefined) throw error;
        // It has become ready meanwhile; that audio is as good as this.
        await files.remove(fileId);
        await keepUntil(_id, until);
      }
    },
  };
}

function findWithoutText(
  collection: Collection<PromptAudioDocument>,
  keys: readonly string[],
): Promise<Omit<PromptAudioDocument, 'text'>[]> {
  const options = { maxTimeMS: QUERY_TIME_MAX_MS, projection: { text: 0 } };
  return whileUnreachable(() => collection.find({ _id: { $in: [...keys] } }, options).toArray());
}
