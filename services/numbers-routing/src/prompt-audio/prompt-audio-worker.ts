import type { BackgroundWork, Clock } from '@parley/clock';
import { type DueWork, newLease } from '@parley/aggregates';
import type { UsageQuota } from '@parley/mongo';
import type { Logger } from '@parley/telemetry';
import { LRUCache } from 'lru-cache';
import type { PromptAudio } from './prompt-audio.ts';
import type { PromptAudioQueue } from './prompt-audio-queue.ts';
import { KEEP_MS, type PromptAudios } from './prompt-audio-store.ts';
import { NoLongerNeeded, type SynthesizePrompt } from './speech-client.ts';
import { PART_LENGTH_MAX } from './split-text.ts';

interface PromptAudioWork {
  readonly audios: PromptAudios;
  readonly synthesizePrompt: SynthesizePrompt;
  /** True while any number, or owner of phrases, uses the prompt. */
  readonly isNeeded: (key: string) => Promise<boolean>;
  /** Characters per company. */
  readonly quota: Pick<UsageQuota, 'take' | 'msUntilNextWindow'>;
  readonly clock: Clock;
  readonly backgroundWork: BackgroundWork;
  readonly log: Logger;
}

/** Prompts in synthesis at once, each of another company. */
const CONCURRENCY = 8;
/** Texts that are synthesized in several parts leave capacity for the others. */
const LONG_CONCURRENCY = 4;
/** Renewed during synthesis: a long text takes minutes, and a crash must not delay it for that long. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
/** Waits after each failure; then every half hour as long as it is needed. */
const RETRY_MS = [2_000, 10_000, 60_000, 5 * 60_000, 30 * 60_000];

/** Synthesizes queued prompts, company by company, and removes unused audio. */
export function startPromptAudioWork(work: PromptAudioWork): DueWork {
  const { audios, backgroundWork, clock, log } = work;
  const { queue } = audios;
  const stopping = Promise.withResolvers<never>();
  stopping.promise.catch(() => undefined);
  const synthesizePrompt: SynthesizePrompt = (prompt, wanted) =>
    Promise.race([work.synthesizePrompt(prompt, wanted), stopping.promise]);
  const claims = fairClaims({ shortMax: PART_LENGTH_MAX, longSlots: LONG_CONCURRENCY });
  const due = queue.startClaimedWork({
    name: 'prompt audio',
    claimField: 'claim',
    clock,
    backgroundWork,
    log,
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    async take(claimable, lease) {
      const waiting = await queue.companiesWaiting(claimable, claims.busy());
      for (const { companyId, textLengthMax } of claims.turns(waiting)) {
        const audio = await queue.claimNext(claimable, companyId, textLengthMax, lease);
        if (!audio) continue;
        claims.started(companyId, audio.textLength);
        return [audio];
      }
      const outdated = await queue.claimHousekeeping(claimable, lease);
      return outdated ? [outdated] : [];
    },
    async handle(audio) {
      const owner = audio.claim?.owner ?? '';
      if (audio.status === 'ready') return checkIfNeeded(work, audio, owner);
      if (audio.status === 'expired') return queue.remove(audio, owner);
      try {
        await synthesize({ ...work, synthesizePrompt }, audio, owner);
      } finally {
        claims.ended(audio.companyId, audio.textLength);
      }
    },
  });
  audios.onQueued(() => due.pollNow());
  return {
    ...due,
    stop() {
      stopping.reject(new Error('the service is stopping'));
      return due.stop();
    },
  };
}

async function synthesize(work: PromptAudioWork, audio: PromptAudio, owner: string): Promise<void> {
  const { audios, quota, log } = work;
  const { queue } = audios;
  const { id: key, companyId, textLength, failures } = audio;
  const isNeeded = () => work.isNeeded(key);
  if (!(await isNeeded())) return queue.drop(audio, owner, isNeeded);
  // A repeated attempt has been counted before.
  if (failures === 0 && !(await quota.take(companyId, textLength)))
    return queue.postpone(key, owner, quota.msUntilNextWindow(), false);
  const renewing = startRenewing(queue, key, owner);
  try {
    const speech = await work.synthesizePrompt(audio, { companyId, priority: 'background', isNeeded: isNeeded });
    await queue.complete(audio, owner, speech, KEEP_MS);
  } catch (error) {
    if (error instanceof NoLongerNeeded) return await queue.drop(audio, owner, isNeeded);
    log.warn({ err: error, prompt: key, failures: failures + 1 }, 'prompt not synthesized; will be retried');
    const waitMs = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0;
    await queue.postpone(key, owner, waitMs, true);
  } finally {
    clearInterval(renewing);
  }
}

/** A renewal that fails does no harm: the next one may not, and at worst another process synthesizes the same. */
function startRenewing(queue: PromptAudioQueue, key: string, owner: string): NodeJS.Timeout {
  return setInterval(() => void queue.renew(key, newLease(LEASE_MS, owner)).catch(() => undefined), RENEW_MS);
}

/** Expired audio is kept while somebody uses it. */
async function checkIfNeeded(work: PromptAudioWork, audio: PromptAudio, owner: string): Promise<void> {
  const { audios, clock } = work;
  const now = clock.now();
  const restMs = audio.keepUntil.getTime() - now.getTime();
  if (restMs > 0) return audios.queue.extend(audio, owner, audio.keepUntil, Math.min(restMs, KEEP_MS));
  if (!(await work.isNeeded(audio.id))) return audios.queue.expire(audio, owner);
  await audios.queue.extend(audio, owner, new Date(now.getTime() + KEEP_MS), KEEP_MS);
}

/** The company whose next prompt is synthesized, and the longest text it may have. */
interface ClaimAllowance {
  readonly companyId: string;
  readonly textLengthMax: number;
}

/** More companies than have work at any one time. */
const SERVED_MAX = 10_000;

/**
 * Lets companies take turns, one prompt each. Prompts longer than `shortMax` take no more than `longSlots` of the places at
 * once, so that a short one never waits for long ones, of any company.
 */
function fairClaims({ shortMax, longSlots }: { shortMax: number; longSlots: number }) {
  const inProgress = new Set<string>();
  /** When a company was served last, as a count. */
  const served = new LRUCache<string, number>({ max: SERVED_MAX });
  let longInProgress = 0;
  let count = 0;
  return {
    /** Companies that have to wait, because one of their prompts is being synthesized here. */
    busy: () => [...inProgress],
    /** The company that was served longest ago comes first. */
    turns(waiting: readonly string[]): readonly ClaimAllowance[] {
      const textLengthMax = longInProgress < longSlots ? Infinity : shortMax;
      return waiting
        .filter((companyId) => !inProgress.has(companyId))
        .toSorted((a, b) => (served.peek(a) ?? 0) - (served.peek(b) ?? 0))
        .map((companyId) => ({ companyId, textLengthMax }));
    },
    started(companyId: string, textLength: number): void {
      inProgress.add(companyId);
      if (textLength > shortMax) longInProgress += 1;
      served.set(companyId, (count += 1));
    },
    ended(companyId: string, textLength: number): void {
      inProgress.delete(companyId);
      if (textLength > shortMax) longInProgress -= 1;
    },
  };
}
