import type { Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import { dueIn, dueIndex, openDocuments } from '@parley/aggregates';
import type { Db } from 'mongodb';
import { openAudioFiles } from './audio-files.ts';
import { type NeededPrompt, type Prompt, promptKey } from './prompt.ts';
import { openPromptAudioQueue } from './prompt-audio-queue.ts';
import { type PromptAudio, type ReadyAudio, readyAudio, readyFields } from './prompt-audio.ts';
import type { Speech } from './speech-client.ts';

export type PromptAudios = Awaited<ReturnType<typeof openPromptAudios>>;

/** Audio is kept for this time before its use is checked again. */
export const KEEP_MS = 24 * 3600 * 1000;
/** Reading audio that is due for this check soon extends its time, so that none is removed while needed. */
const NEAR_MS = 3600 * 1000;

export async function openPromptAudios(db: Db, clock: Clock) {
  const documents = await openDocuments<PromptAudio>({
    db,
    collection: 'prompts',
    indexes: [
      { ...dueIndex },
      { key: { status: 1, companyId: 1, place: 1, textLength: 1 }, name: 'pending_by_company' },
      { key: { status: 1, 'due.at': 1 }, name: 'status_due' },
    ],
  });
  // Equal prompts of several companies share one audio.
  const audios = documents.acrossCompanies;
  const files = openAudioFiles(db);
  const listeners: (() => void)[] = [];
  const after = (ms: number) => new Date(clock.now().getTime() + ms);

  /** Queues prompts of which there is no audio; one that is queued already, or has audio by now, stays as it is. */
  async function enqueue(companyId: string, prompts: readonly NeededPrompt[]): Promise<void> {
    const fresh = {
      status: 'pending' as const,
      companyId,
      failures: 0,
      keepUntil: after(KEEP_MS),
      due: dueIn(clock.now(), 0),
      claim: null,
    };
    const blank = { fileId: null, draftFileId: null, contentType: null, sizeBytes: 0, durationMs: 0, engine: null };
    const queueOne = (prompt: NeededPrompt) =>
      audios.upsert<PromptAudio>(promptKey(prompt), (current) => {
        const { text, language, voice, place = 0 } = prompt;
        const id = promptKey(prompt);
        if (!current) return decided({ id, ...fresh, ...blank, text, language, voice, place, textLength: text.length });
        // The old bytes of expired audio become a draft, which the next synthesis removes.
        if (current.status !== 'expired') return decided(current);
        return decided({ ...current, ...fresh, place, draftFileId: current.fileId, fileId: null });
      });
    await Promise.all(prompts.map(queueOne));
  }

  /** Makes sure that existing audio stays until then; false when there is none. */
  async function keepUntil(key: string, until: Date): Promise<boolean> {
    const kept = await audios.changeIfExists(key, (current) => decided(keptUntil(current, until)));
    return kept?.status === 'ready';
  }

  const findWithoutText = (keys: readonly string[]): Promise<Omit<PromptAudio, 'text'>[]> =>
    documents.bulk.readPage({
      filter: { id: { $in: [...keys] } },
      sort: { id: 1 },
      limit: keys.length,
      omit: ['text'],
    });

  return {
    files,
    queue: openPromptAudioQueue({ documents, files, clock, enqueue }),
    keepUntil,
    /** Is called whenever something was queued. */
    onQueued: (listener: () => void) => void listeners.push(listener),
    /** The audio of those prompts that have it. What is missing is queued for synthesis. */
    async request(companyId: string, prompts: readonly NeededPrompt[]): Promise<ReadonlyMap<string, ReadyAudio>> {
      if (prompts.length === 0) return new Map();
      const byKey = new Map(prompts.map((prompt) => [promptKey(prompt), prompt]));
      const found = await findWithoutText([...byKey.keys()]);
      const missing = new Map(byKey);
      const ready = new Map<string, ReadyAudio>();
      for (const audio of found) {
        if (audio.status === 'pending') missing.delete(audio.id);
        if (audio.status !== 'ready') continue;
        const near = audio.keepUntil < after(NEAR_MS);
        if (near && !(await keepUntil(audio.id, after(KEEP_MS)))) continue;
        missing.delete(audio.id);
        ready.set(audio.id, readyAudio(audio));
      }
      if (missing.size > 0) {
        await enqueue(companyId, [...missing.values()]);
        listeners.forEach((listener) => listener());
      }
      return ready;
    },
    async get(key: string): Promise<ReadyAudio | undefined> {
      const [found] = await findWithoutText([key]);
      return found?.status === 'ready' ? readyAudio(found) : undefined;
    },
    /** The texts and companies of these keys; unknown keys are omitted. */
    async prompts(keys: readonly string[]): Promise<ReadonlyMap<string, Prompt & { readonly companyId: string }>> {
      const found = new Map<string, Prompt & { readonly companyId: string }>();
      for await (const { id, text, language, voice, companyId } of audios.find({ id: { $in: [...keys] } }, { id: 1 }))
        found.set(id, { text, language, voice, companyId });
      return found;
    },
    /** Keeps audio that was synthesized without queueing, for a preview or a call, at least until `keepUntil`. */
    async keep(companyId: string, prompt: Prompt, speech: Speech, until: Date): Promise<void> {
      const id = promptKey(prompt);
      const fileId = files.newId();
      await files.write(fileId, speech.audio);
      const { text, language, voice } = prompt;
      const now = clock.now();
      const kept = await audios.upsert<PromptAudio>(id, (current) => {
        // It has become ready meanwhile; that audio is as good as this.
        if (current?.status === 'ready') return decided(keptUntil(current, until));
        return decided({
          id,
          ...readyFields(fileId, speech),
          companyId,
          text,
          language,
          voice,
          place: 0,
          textLength: text.length,
          keepUntil: until,
          draftFileId: null,
          failures: 0,
          claim: null,
          due: dueIn(now, Math.max(0, until.getTime() - now.getTime())),
        });
      });
      if (kept.fileId !== fileId) await files.remove(fileId);
    },
  };
}

/** Audio that can be played stays at least until then. */
function keptUntil(audio: PromptAudio, until: Date): PromptAudio {
  return audio.status === 'ready' && audio.keepUntil < until ? { ...audio, keepUntil: until } : audio;
}
