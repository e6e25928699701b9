import type { Clock } from '@parley/clock';
import { collidedIndex, type DueDocument, dueIn, dueIndex, QUERY_TIME_MAX_MS, whileUnreachable } from '@parley/store';
import type { Collection, Db } from 'mongodb';
import { type AudioChunks, openAudioChunks } from './audio-chunk-store.ts';
import { type Prompt, promptKey } from './prompt.ts';
import type { Speech } from './speech-client.ts';

/**
 * The sound of one prompt, under the prompt's key. `pending`: to be spoken. `ready`: can be heard. `expired`: nobody
 * needs it; about to be removed, and to be spoken again if somebody does after all.
 */
export interface PromptAudioDocument extends DueDocument, Prompt {
  status: 'pending' | 'ready' | 'expired';
  /** How often speaking it has failed. */
  failures: number;
  blobId: string | null;
  /** Where bytes are being written that nobody may hear yet. */
  draftBlobId: string | null;
  contentType: string | null;
  sizeBytes: number;
  durationMs: number;
  engine: string | null;
  /** Until then it stays, needed or not. */
  keepUntil: Date;
}

/** Audio that can be heard. */
export interface ReadyAudio {
  readonly key: string;
  readonly blobId: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly durationMs: number;
}

export interface PromptAudios {
  /** The audio of those prompts that have it. What is missing is planned to be spoken. */
  want(prompts: readonly Prompt[]): Promise<ReadonlyMap<string, ReadyAudio>>;
  get(key: string): Promise<ReadyAudio | undefined>;
  /** Keeps speech that was made for a preview, at least until `keepUntil`. */
  keep(prompt: Prompt, speech: Speech, keepUntil: Date): Promise<void>;
  /** Makes sure that audio there is stays until then; false when it is not there. */
  keepUntil(key: string, keepUntil: Date): Promise<boolean>;
  /** Is told whenever something was planned. */
  onPlanned(listener: () => void): void;
  readonly chunks: AudioChunks;
  readonly collection: Collection<PromptAudioDocument>;
}

/** How long audio stays before it is asked again whether anybody needs it. */
export const KEEP_MS = 24 * 3600 * 1000;
/** Audio whose time is nearly up is kept longer by whoever looks at it, so that none is removed while it is needed. */
const NEAR_MS = 3600 * 1000;

export async function openPromptAudios(db: Db, clock: Clock): Promise<PromptAudios> {
  const collection = db.collection<PromptAudioDocument>('prompt_audio');
  await collection.createIndexes([{ ...dueIndex }]);
  const chunks = openAudioChunks(db);
  const listeners: (() => void)[] = [];
  const after = (ms: number) => new Date(clock.now().getTime() + ms);

  async function plan(prompt: Prompt): Promise<void> {
    const _id = promptKey(prompt);
    const fresh = { status: 'pending' as const, failures: 0, keepUntil: after(KEEP_MS), due: dueIn(clock.now(), 0) };
    const { text, language, voice } = prompt;
    const blank = { blobId: null, draftBlobId: null, contentType: null, sizeBytes: 0, durationMs: 0, engine: null };
    await whileUnreachable(async () => {
      // The old bytes go the way of a draft that came to nothing.
      const revived = await collection.updateOne({ _id, status: 'expired' }, [
        { $set: { ...fresh, draftBlobId: '$blobId', blobId: null, dueLease: null } },
      ]);
      if (revived.matchedCount > 0) return;
      const whole = { ...fresh, ...blank, text, language, voice, dueLease: null };
      await collection.updateOne({ _id }, { $setOnInsert: whole }, { upsert: true });
    }).catch((error: unknown) => {
      // Somebody else planned the same in the same moment.
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
    chunks,
    collection,
    keepUntil,
    onPlanned: (listener) => void listeners.push(listener),
    async want(prompts) {
      if (prompts.length === 0) return new Map();
      const byKey = new Map(prompts.map((prompt) => [promptKey(prompt), prompt]));
      const found = await whileUnreachable(() =>
        collection
          .find({ _id: { $in: [...byKey.keys()] } }, { maxTimeMS: QUERY_TIME_MAX_MS, projection: { text: 0 } })
          .toArray(),
      );
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
      for (const prompt of missing.values()) await plan(prompt);
      if (missing.size > 0) listeners.forEach((listener) => listener());
      return ready;
    },
    async get(key) {
      const found = await whileUnreachable(() =>
        collection.findOne({ _id: key, status: 'ready' }, { maxTimeMS: QUERY_TIME_MAX_MS, projection: { text: 0 } }),
      );
      return found ? readyAudio(found) : undefined;
    },
    async keep(prompt, speech, until) {
      const _id = promptKey(prompt);
      const blobId = chunks.newBlobId();
      await chunks.write(blobId, speech.audio);
      const { text, language, voice } = prompt;
      const now = clock.now();
      const set = {
        ...readyFields(blobId, speech),
        text,
        language,
        voice,
        keepUntil: until,
        draftBlobId: null,
        failures: 0,
        dueLease: null,
        due: dueIn(now, Math.max(0, until.getTime() - now.getTime())),
      };
      try {
        await collection.updateOne({ _id, status: { $ne: 'ready' } }, { $set: set }, { upsert: true });
      } catch (error) {
        if (collidedIndex(error) === undefined) throw error;
        // It has become ready meanwhile; that audio is as good as this.
        await chunks.remove(blobId);
        await keepUntil(_id, until);
      }
    },
  };
}

/** What makes a document's audio audible. */
export function readyFields(blobId: string, { audio, contentType, durationMs, engine }: Speech) {
  return { status: 'ready' as const, blobId, contentType, sizeBytes: audio.length, durationMs, engine };
}

function readyAudio(document: Omit<PromptAudioDocument, 'text'>): ReadyAudio {
  const { _id: key, blobId, contentType, sizeBytes, durationMs } = document;
  if (blobId === null || contentType === null) throw new Error(`audio ${key} is ready but not there`);
  return { key, blobId, contentType, sizeBytes, durationMs };
}
