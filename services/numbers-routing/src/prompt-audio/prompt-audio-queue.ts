import type { Clock } from '@parley/clock';
import { type Decision, decided } from '@parley/errors';
import { type BulkFilter, dueIn, type Lease, type PlainDocuments } from '@parley/aggregates';
import type { Sort } from 'mongodb';
import type { AudioFiles } from './audio-files.ts';
import type { NeededPrompt } from './prompt.ts';
import { type PromptAudio, readyFields } from './prompt-audio.ts';
import type { Speech } from './speech-client.ts';

type Claimable = BulkFilter<PromptAudio>;

/** The worker's view of prompt audio: it claims work and records results. Every write requires the lease. */
export type PromptAudioQueue = ReturnType<typeof openPromptAudioQueue>;

export interface PromptAudioQueueOptions {
  readonly documents: PlainDocuments<PromptAudio>;
  readonly files: AudioFiles;
  readonly clock: Clock;
  enqueue(companyId: string, prompts: readonly NeededPrompt[]): Promise<void>;
}

export function openPromptAudioQueue(options: PromptAudioQueueOptions) {
  const { documents, files, clock, enqueue } = options;
  const { bulk } = documents;

  /** The first that fits, claimed; another one after a write conflict. */
  async function claimFirst(filter: Claimable, sort: Sort, claim: Lease): Promise<PromptAudio | null> {
    for (;;) {
      const [from] = await bulk.readPage({ filter, sort, limit: 1 });
      if (!from) return null;
      const to = { ...from, claim };
      const [written] = await bulk.replaceUnchanged([{ from, to }]);
      if (written) return to;
    }
  }

  /** Decides about audio under its claim; false when the claim is lost. */
  async function underClaim(
    id: string,
    owner: string,
    decide: (current: PromptAudio) => Decision<PromptAudio | null, never>,
  ): Promise<boolean> {
    let isClaimed = false;
    await documents.acrossCompanies.changeIfExists(id, (current): Decision<PromptAudio | null, never> => {
      isClaimed = current.claim?.owner === owner;
      return isClaimed ? decide(current) : decided(current);
    });
    return isClaimed;
  }

  /** Releases the claim, with changes unless the audio was requested since it was claimed, which moves `keepUntil`. */
  const releaseWith = (audio: PromptAudio, owner: string, changes: Partial<PromptAudio>) =>
    underClaim(audio.id, owner, (current) => {
      const isUnchanged = current.keepUntil.getTime() === audio.keepUntil.getTime();
      return decided({ ...current, ...(isUnchanged && changes), claim: null });
    });

  return {
    startClaimedWork: documents.startClaimedWork,
    /** The companies that have prompts waiting, except the given ones. */
    async companiesWaiting(claimable: Claimable, except: readonly string[]): Promise<readonly string[]> {
      const others = except.length > 0 ? { companyId: { $nin: [...except] } } : {};
      const filter: Claimable = { ...claimable, status: 'pending', ...others };
      const found = await bulk.firstOfEach({ by: 'companyId', filter, sort: { companyId: 1 }, fields: [] });
      return found.map(({ companyId }) => companyId);
    },
    /** Claims the prompt that a company needs next, of at most so many characters. */
    claimNext(
      claimable: Claimable,
      companyId: string,
      textLengthMax: number,
      lease: Lease,
    ): Promise<PromptAudio | null> {
      const filter: Claimable = { ...claimable, status: 'pending', companyId, textLength: { $lte: textLengthMax } };
      return claimFirst(filter, { place: 1, textLength: 1 }, lease);
    },
    /** Claims the audio that has been due for a check or for removal longest. */
    claimHousekeeping: (claimable: Claimable, lease: Lease) =>
      claimFirst({ ...claimable, status: { $in: ['ready', 'expired'] } }, { 'due.at': 1 }, lease),
    async renew(key: string, claim: Lease): Promise<void> {
      await bulk.assignEach([{ id: key, where: { 'claim.owner': claim.owner }, fields: { claim } }]);
    },
    /** Stores the synthesized audio, unless another process has stored it meanwhile. */
    async complete(
      { id, draftFileId: leftover }: PromptAudio,
      owner: string,
      speech: Speech,
      checkInMs: number,
    ): Promise<void> {
      if (leftover !== null) await files.remove(leftover);
      const fileId = files.newId();
      if (!(await underClaim(id, owner, (current) => decided({ ...current, draftFileId: fileId })))) return;
      await files.write(fileId, speech.audio);
      const due = dueIn(clock.now(), checkInMs);
      const done = { ...readyFields(fileId, speech), draftFileId: null, failures: 0, claim: null, due };
      if (!(await underClaim(id, owner, (current) => decided({ ...current, ...done })))) await files.remove(fileId);
    },
    async postpone(key: string, owner: string, waitMs: number, failed: boolean): Promise<void> {
      const later = { due: dueIn(clock.now(), waitMs), claim: null };
      await underClaim(key, owner, (current) =>
        decided({ ...current, ...later, failures: current.failures + (failed ? 1 : 0) }),
      );
    },
    /** Removes an unused prompt; queues it again when a number has started to use it at the same time. */
    async drop(audio: PromptAudio, owner: string, isNeeded: () => Promise<boolean>): Promise<void> {
      if (audio.draftFileId !== null) await files.remove(audio.draftFileId);
      const dropped = await underClaim(audio.id, owner, () => decided(null));
      // A number may have been saved since the check; its reader found the prompt queued and did not queue it again.
      if (dropped && (await isNeeded())) await enqueue(audio.companyId, [audio]);
    },
    /** Keeps audio until then, unless it was requested since it was claimed. */
    async extend(audio: PromptAudio, owner: string, keepUntil: Date, waitMs: number): Promise<void> {
      await releaseWith(audio, owner, { keepUntil, due: dueIn(clock.now(), waitMs) });
    },
    async expire(audio: PromptAudio, owner: string): Promise<void> {
      await releaseWith(audio, owner, { status: 'expired', due: dueIn(clock.now(), 0) });
    },
    async remove(audio: PromptAudio, owner: string): Promise<void> {
      if (audio.fileId !== null) await files.remove(audio.fileId);
      await underClaim(audio.id, owner, (current) => decided(current.status === 'expired' ? null : current));
    },
  };
}
