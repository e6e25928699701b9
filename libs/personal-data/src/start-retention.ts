import type { BackgroundWork, Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import type { EventHandler, EventHandlers } from '@parley/events';
import {
  type Due,
  type DueClaim,
  dueIn,
  dueIndex,
  type EventRemoval,
  type NoEffects,
  openDocuments,
} from '@parley/aggregates';
import { pauseForRequests, runLongWork } from '@parley/queues';
import type { Logger } from '@parley/telemetry';
import type { Db } from 'mongodb';
import { type Erase, erasureOf, type ErasureStep } from './erasure.ts';
import {
  cutoffsOf,
  daysFromProto,
  KEPT_FOREVER,
  type RetentionCutoffs,
  type RetentionDays,
  isEventExpired,
} from './retention.ts';
import { eventRemovalSteps } from './event-steps.ts';

/** A company's data that is past its retention. */
export interface RetentionTarget {
  readonly companyId: string;
  readonly cutoffs: RetentionCutoffs;
  /** The positions at which repeated steps begin. */
  readonly marks: Readonly<Record<string, string>>;
}

export type RetentionStep = ErasureStep<RetentionTarget>;

/** The settings of a company as this service knows them, and how far the removal of what is older is. */
interface RetentionRun {
  /** The company's; `ALL_COMPANIES` for what is stored of all of them together. */
  readonly id: string;
  readonly companyId: string;
  readonly days: RetentionDays;
  /** The number of setting changes, and their number before the current removal began. */
  readonly changes?: number;
  readonly changesBefore?: number;
  readonly due: Due | null;
  /** The position at which the current removal continues. */
  readonly position: string;
  readonly marks: Readonly<Record<string, string>>;
  /** Records that were removed so far. */
  readonly removed: number;
  /** When everything that was too old had been removed. */
  readonly doneAt: Date | null;
}

const ALL_COMPANIES = '*';
/** Twice a day, so that what is too old is gone within a day. */
const EVERY_MS = 12 * 3600 * 1000;
/** New settings and moves of the clock are noticed at once. */
const POLL_MS = 60_000;
/** Companies at a time in one process: they run beside the traffic. */
const CONCURRENCY = 2;
/** Far longer than a portion takes; another process takes over after it. */
const LEASE_MS = 60_000;

/** The parts of a service that remove what is not kept any longer. */
interface RetentionParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly backgroundWork: BackgroundWork;
  readonly telemetry: { readonly log: Logger };
  /** Undefined when the service publishes no events. */
  readonly relay: { readonly removal: EventRemoval } | undefined;
}

interface RetentionHost extends RetentionParts {
  readonly name: string;
  follow(options: { name: string; handlers: EventHandlers }): Promise<void>;
  stopLater(name: string, running: { stop(): Promise<void> }): void;
}

/** Learns from directory how long companies keep what the service stores, and removes what is older. */
export async function followRetention(host: RetentionHost, steps: readonly RetentionStep[]): Promise<void> {
  const retention = await startRetention(host, steps);
  host.stopLater('retention', retention);
  await host.follow({
    name: `${host.name}-retention`,
    handlers: { 'directory.retention.changed': retention.onChanged },
  });
}

/**
 * Removes what companies do not keep any longer, twice a day, in bounded portions; between two of them it pauses while there are
 * requests. A process that ends in the middle is continued by another one. Events about what is too old are removed
 * with it, from the log, the stream and the dead letters.
 */
export async function startRetention(
  { db, clock, backgroundWork, telemetry: { log }, relay }: RetentionParts,
  steps: readonly RetentionStep[],
): Promise<{ onChanged: EventHandler<'directory.retention.changed'>; stop(): Promise<void> }> {
  const removal = relay?.removal;
  const runs = await openDocuments<RetentionRun>({ db, collection: 'retention_runs', indexes: [dueIndex] });
  const eventSteps = eventRemovalSteps<RetentionTarget>(
    { db, removal },
    ({ cutoffs }) =>
      async (event) =>
        isEventExpired(event, cutoffs),
  );
  // The stream has a step for all companies.
  const ofCompany = erasureOf([...steps, ...eventSteps.filter(({ name }) => name !== 'stream')]);
  const ofAll: Erase<unknown> = erasureOf(removal ? [streamStep(removal, cutoffsOfCompany)] : []);
  let isStopping = false;

  async function cutoffsOfCompany(companyId: string): Promise<RetentionCutoffs | null> {
    const run = await runs.of(companyId).get(companyId);
    return run ? cutoffsOf(run.days, clock.now()) : null;
  }

  function sweep(begun: RetentionRun, claim: DueClaim<RetentionRun, NoEffects>): Promise<void> {
    return runLongWork(async () => {
      let run: RetentionRun | undefined = begun;
      while (run) {
        run = await removePortion(run, claim);
        await pauseForRequests();
      }
    });
  }

  /** Resolves with the next state; undefined when nothing is left for now. */
  async function removePortion(
    { id, companyId, days, marks, position, changes = 0 }: RetentionRun,
    claim: DueClaim<RetentionRun, NoEffects>,
  ): Promise<RetentionRun | undefined> {
    const now = clock.now();
    const isOfAll = id === ALL_COMPANIES;
    const cutoffs = isOfAll ? {} : cutoffsOf(days, now);
    if (isStopping) {
      await claim.finish((current) => decided({ ...current, due: dueIn(now, 0) }));
      return undefined;
    }
    if (!cutoffs) {
      await claim.finish((current) =>
        decided({ ...current, position: '', due: cutoffsOf(current.days, now) && dueIn(now, 0) }),
      );
      return undefined;
    }
    const portion = await (isOfAll ? ofAll : ofCompany)({ companyId, cutoffs, marks }, position);
    const after = (current: RetentionRun): RetentionRun => ({
      ...current,
      ...(position === '' && { changesBefore: changes }),
      marks: { ...current.marks, ...portion.marks },
      removed: current.removed + portion.removed,
      position: portion.isDone ? '' : portion.position,
    });
    if (!portion.isDone) {
      await claim.renew();
      return claim.saveProgress((current) => decided(after(current)));
    }
    await claim.finish((current) => {
      const next = after(current);
      // Settings that came after the beginning are applied at once to everything.
      const waitMs = (next.changes ?? 0) === (next.changesBefore ?? 0) ? EVERY_MS : 0;
      return decided({ ...next, due: dueIn(clock.now(), waitMs), doneAt: clock.now() });
    });
    return undefined;
  }

  const work = runs.startDueWork({
    name: 'retention',
    clock,
    backgroundWork,
    log,
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    pollMs: POLL_MS,
    handle: sweep,
  });
  const blank = (id: string): RetentionRun => ({
    id,
    companyId: id,
    days: KEPT_FOREVER,
    due: null,
    position: '',
    marks: {},
    removed: 0,
    doneAt: null,
  });
  return {
    async onChanged({ settings }, { companyId }) {
      const due = dueIn(clock.now(), 0);
      const days = daysFromProto(settings);
      const changed = (run: RetentionRun): RetentionRun => ({ ...run, changes: (run.changes ?? 0) + 1, due });
      await runs
        .of(companyId)
        .upsert(companyId, (current = blank(companyId)) => decided({ ...changed(current), days }));
      if (removal)
        await runs
          .of(ALL_COMPANIES)
          .upsert(ALL_COMPANIES, (current = blank(ALL_COMPANIES)) => decided(changed(current)));
      work.pollNow();
    },
    stop() {
      isStopping = true;
      return work.stop();
    },
  };
}

/** The stream contains the events of all companies: it is read once for all of them. */
function streamStep(
  removal: EventRemoval,
  cutoffsOfCompany: (companyId: string) => Promise<RetentionCutoffs | null>,
): ErasureStep<unknown> {
  return {
    name: 'stream',
    async erase(_subject, after) {
      const known = new Map<string, Promise<RetentionCutoffs | null>>();
      const next = await removal.fromStream(undefined, Number(after) || 1, async (event) => {
        const cutoffs = known.get(event.companyId) ?? cutoffsOfCompany(event.companyId);
        known.set(event.companyId, cutoffs);
        return isEventExpired(event, (await cutoffs) ?? {});
      });
      return { removed: 0, next: next === undefined ? undefined : String(next) };
    },
  };
}
