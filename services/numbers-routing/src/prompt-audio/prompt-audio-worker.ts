import { type BackgroundWork, type Clock, systemClock } from '@parley/clock';
import { type DueWork, dueIn, startDueWork } from '@parley/store';
import type { Logger } from '@parley/telemetry';
import { KEEP_MS, type PromptAudioDocument, type PromptAudios, readyFields } from './prompt-audio-store.ts';
import type { Speak } from './speech-client.ts';

export interface PromptAudioWork {
  readonly audios: PromptAudios;
  readonly speak: Speak;
  /** Whether any number still says it. */
  readonly isNeeded: (key: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly backgroundWork: BackgroundWork;
  readonly log: Logger;
}

/** Two at a time: prompts can wait, and previews, which people wait for, need the speech service too. */
const CONCURRENCY = 2;
/** Renewed while a prompt is being spoken: a long one takes minutes, and after a crash nobody should wait that long. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
/** After each failure; then every half hour for as long as somebody needs it. */
const RETRY_MS = [2_000, 10_000, 60_000, 5 * 60_000, 30 * 60_000];

/** Speaks what is planned, and removes what nobody needs. */
export function startPromptAudioWork(work: PromptAudioWork): DueWork {
  const { audios, backgroundWork, clock, log } = work;
  const stopping = Promise.withResolvers<never>();
  stopping.promise.catch(() => undefined);
  const speak: Speak = (prompt) => Promise.race([work.speak(prompt), stopping.promise]);
  const due = startDueWork<PromptAudioDocument>({
    name: 'prompt audio',
    collection: audios.collection,
    clock,
    backgroundWork,
    log,
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    handle: (document, lease) => {
      if (document.status === 'pending') return speakPrompt({ ...work, speak }, document, lease);
      return document.status === 'ready' ? review(work, document, lease) : remove(work, document, lease);
    },
  });
  audios.onPlanned(() => due.nudge());
  return {
    ...due,
    stop() {
      stopping.reject(new Error('the service is stopping'));
      return due.stop();
    },
  };
}

async function speakPrompt(work: PromptAudioWork, document: PromptAudioDocument, lease: string): Promise<void> {
  const { audios, speak, clock, log } = work;
  const mine = { _id: document._id, 'dueLease.owner': lease };
  if (document.draftBlobId !== null) await audios.chunks.remove(document.draftBlobId);
  const blobId = audios.chunks.newBlobId();
  const renewing = setInterval(() => void renew(audios, document._id, lease), RENEW_MS);
  try {
    const speech = await speak(document);
    await audios.collection.updateOne(mine, { $set: { draftBlobId: blobId } });
    await audios.chunks.write(blobId, speech.audio);
    const kept = await audios.collection.updateOne(mine, {
      $set: {
        ...readyFields(blobId, speech),
        draftBlobId: null,
        failures: 0,
        dueLease: null,
        due: dueIn(clock.now(), KEEP_MS),
      },
    });
    if (kept.matchedCount === 0) await audios.chunks.remove(blobId);
  } catch (error) {
    log.warn({ err: error, prompt: document._id, failures: document.failures + 1 }, 'prompt not spoken; tried again');
    await audios.chunks.remove(blobId);
    if (!(await work.isNeeded(document._id))) return void (await audios.collection.deleteOne(mine));
    const waitMs = RETRY_MS[Math.min(document.failures, RETRY_MS.length - 1)] ?? 0;
    const later = { due: dueIn(clock.now(), waitMs), draftBlobId: null, dueLease: null };
    await audios.collection.updateOne(mine, { $set: later, $inc: { failures: 1 } });
  } finally {
    clearInterval(renewing);
  }
}

/** A renewal that fails is no matter: the next one may not, and at worst somebody else speaks the same. */
async function renew({ collection }: PromptAudios, _id: string, lease: string): Promise<void> {
  const until = new Date(systemClock.now().getTime() + LEASE_MS);
  await collection.updateOne({ _id, 'dueLease.owner': lease }, { $set: { 'dueLease.until': until } }).catch(() => {});
}

/** Audio whose time is up stays while a number says it. */
async function review(work: PromptAudioWork, document: PromptAudioDocument, lease: string): Promise<void> {
  const { audios, clock } = work;
  const now = clock.now();
  // The same `keepUntil` as was read: whoever has asked for it since has moved it.
  const unchanged = { _id: document._id, 'dueLease.owner': lease, keepUntil: document.keepUntil };
  const restMs = document.keepUntil.getTime() - now.getTime();
  if (restMs > 0 || (await work.isNeeded(document._id))) {
    const waitMs = restMs > 0 ? Math.min(restMs, KEEP_MS) : KEEP_MS;
    const keepUntil = restMs > 0 ? document.keepUntil : new Date(now.getTime() + KEEP_MS);
    await audios.collection.updateOne(unchanged, { $set: { keepUntil, due: dueIn(now, waitMs), dueLease: null } });
  } else {
    const expired = { status: 'expired' as const, due: dueIn(now, 0), dueLease: null };
    await audios.collection.updateOne(unchanged, { $set: expired });
  }
  // Nothing matched: somebody wants it and has moved `keepUntil`; the next look finds that.
  await audios.collection.updateOne({ _id: document._id, 'dueLease.owner': lease }, { $set: { dueLease: null } });
}

async function remove(work: PromptAudioWork, document: PromptAudioDocument, lease: string): Promise<void> {
  const { audios } = work;
  if (document.blobId !== null) await audios.chunks.remove(document.blobId);
  await audios.collection.deleteOne({ _id: document._id, status: 'expired', 'dueLease.owner': lease });
}
