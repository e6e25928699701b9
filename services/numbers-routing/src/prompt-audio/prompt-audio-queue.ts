import { type Clock, systemClock } from '@parley/clock';
import { type DueLease, dueIn, type DueWorkOptions } from '@parley/store';
import type { Collection, Filter } from 'mongodb';
import type { AudioFiles } from './audio-files.ts';
import type { Prompt } from './prompt.ts';
import { type PromptAudioDocument, readyFields } from './prompt-audio-document.ts';
import type { Speech } from './speech-client.ts';

type Claimable = Filter<PromptAudioDocument>;

/** What the worker does with prompt audio: claims it, and records what became of it. Every write needs the lease. */
export interface PromptAudioQueue {
  /** For `startDueWork`. */
  readonly collection: DueWorkOptions<PromptAudioDocument>['collection'];
  /** The companies that have prompts waiting, except the given ones. */
  companiesWaiting(claimable: Claimable, except: readonly string[]): Promise<readonly string[]>;
  /** Claims a company's shortest waiting prompt, of at most so many characters. */
  claimShortest(
    claimable: Claimable,
    companyId: string,
    textLengthMax: number,
    lease: DueLease,
  ): Promise<PromptAudioDocument | null>;
  /** Claims the audio that has been due for a check or for removal longest. */
  claimHousekeeping(claimable: Claimable, lease: DueLease): Promise<PromptAudioDocument | null>;
  renew(key: string, owner: string, until: Date): Promise<void>;
  /** Stores the synthesized audio, unless it was kept by somebody else meanwhile. */
  complete(document: PromptAudioDocument, owner: string, speech: Speech, checkInMs: number): Promise<void>;
  postpone(key: string, owner: string, waitMs: number, failed: boolean): Promise<void>;
  /** Removes a prompt that nobody needs; queues it again when somebody has come to need it at the same moment. */
  drop(document: PromptAudioDocument, owner: string, isNeeded: () => Promise<boolean>): Promise<void>;
  /** Keeps audio until then, unless somebody has asked for it since it was claimed. */
  extend(document: PromptAudioDocument, owner: string, keepUntil: Date, waitMs: number): Promise<void>;
  expire(document: PromptAudioDocument, owner: string): Promise<void>;
  remove(document: PromptAudioDocument, owner: string): Promise<void>;
}

export interface PromptAudioQueueOptions {
  readonly collection: Collection<PromptAudioDocument>;
  readonly files: AudioFiles;
  readonly clock: Clock;
  enqueue(companyId: string, prompts: readonly Prompt[]): Promise<void>;
}

export function openPromptAudioQueue(options: PromptAudioQueueOptions): PromptAudioQueue {
  const { collection, files, clock, enqueue } = options;
  const claimed = (_id: string, owner: string): Claimable => ({ _id, 'dueLease.owner': owner });
  const claim = (filter: Claimable, dueLease: DueLease, sort: Record<string, 1>) =>
    collection.findOneAndUpdate(filter, { $set: { dueLease } }, { sort, returnDocument: 'after', maxTimeMS: 5000 });
  /** The same `keepUntil` as was read: whoever has asked for it since has moved it. */
  const unchanged = ({ _id, keepUntil }: PromptAudioDocument, owner: string): Claimable => ({
    ...claimed(_id, owner),
    keepUntil,
  });
  const release = (_id: string, owner: string) =>
    collection.updateOne(claimed(_id, owner), { $set: { dueLease: null } });

  return {
    collection,
    companiesWaiting: (claimable, except) =>
      collection.distinct('companyId', {
        ...claimable,
        status: 'pending',
        ...(except.length > 0 && { companyId: { $nin: [...except] } }),
      }),
    claimShortest: (claimable, companyId, textLengthMax, lease) =>
      claim({ ...claimable, status: 'pending', companyId, textLength: { $lte: textLengthMax } }, lease, {
        textLength: 1,
      }),
    claimHousekeeping: (claimable, lease) =>
      claim({ ...claimable, status: { $in: ['ready', 'expired'] } }, lease, { 'due.at': 1 }),
    async renew(key, owner, until) {
      await collection.updateOne(claimed(key, owner), { $set: { 'dueLease.until': until } });
    },
    async complete({ _id, draftFileId: leftover }, owner, speech, checkInMs) {
      if (leftover !== null) await files.remove(leftover);
      const fileId = files.newId();
      const drafted = await collection.updateOne(claimed(_id, owner), { $set: { draftFileId: fileId } });
      if (drafted.matchedCount === 0) return;
      await files.write(fileId, speech.audio);
      const { matchedCount } = await collection.updateOne(claimed(_id, owner), {
        $set: {
          ...readyFields(fileId, speech),
          draftFileId: null,
          failures: 0,
          dueLease: null,
          due: dueIn(clock.now(), checkInMs),
        },
      });
      if (matchedCount === 0) await files.remove(fileId);
    },
    async postpone(key, owner, waitMs, failed) {
      const later = { due: dueIn(clock.now(), waitMs), dueLease: null };
      await collection.updateOne(claimed(key, owner), { $set: later, ...(failed && { $inc: { failures: 1 } }) });
    },
    async drop(document, owner, isNeeded) {
      if (document.draftFileId !== null) await files.remove(document.draftFileId);
      const { deletedCount } = await collection.deleteOne(claimed(document._id, owner));
      // A number may have been saved since the check; its reader found the prompt queued and left it at that.
      if (deletedCount > 0 && (await isNeeded())) await enqueue(document.companyId, [document]);
    },
    async extend(document, owner, keepUntil, waitMs) {
      const later = { keepUntil, due: dueIn(clock.now(), waitMs), dueLease: null };
      await collection.updateOne(unchanged(document, owner), { $set: later });
      await release(document._id, owner);
    },
    async expire(document, owner) {
      const expired = { status: 'expired' as const, due: dueIn(clock.now(), 0), dueLease: null };
      await collection.updateOne(unchanged(document, owner), { $set: expired });
      await release(document._id, owner);
    },
    async remove(document, owner) {
      if (document.fileId !== null) await files.remove(document.fileId);
      await collection.deleteOne({ ...claimed(document._id, owner), status: 'expired' });
    },
  };
}

/** By the machine's clock, like every lease. */
export function leaseUntil(leaseMs: number): Date {
  return new Date(systemClock.now().getTime() + leaseMs);
}
