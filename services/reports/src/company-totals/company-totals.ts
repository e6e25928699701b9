import { type Decision, decided, type Due, dueIn, refusal, refused } from '@parley/errors';

/** The state of a company's totals: which are up to date and which have to be computed. */
export interface CompanyTotals {
  /** The company's id. */
  readonly id: string;
  readonly companyId: string;
  /** Time zones whose totals have been counted. */
  readonly zones: readonly string[];
  /** Time zones that a report was requested in, the latest last. */
  readonly requestedZones: readonly string[];
  /** When time zones were first requested, or again after they were dropped, in the last hour. */
  readonly zonesAddedAt: readonly Date[];
  /** Time zones out of use whose totals are still to be deleted. */
  readonly droppedZones: readonly string[];
  /** The last run that dropped a time zone: totals that were read across it may have been deleted meanwhile. */
  readonly lastDropRun: number;
  /** When the first event happened whose facts have been stored since the last run began; null when there is none. */
  readonly uncounted: Date | null;
  /** The same for the run that is in progress, or was interrupted. */
  readonly counting: Date | null;
  /** The last run that has ended: what it and those before it began is done. */
  readonly endedRun: number;
  /** Increases with every time that totals are made: a process that was overtaken cannot overwrite later ones. */
  readonly run: number;
  /** Changes when all totals have to be made again. */
  readonly epoch: number;
  /** True once the calls and texts from before this service existed have been read from their owners. */
  readonly isBackfilled: boolean;
  readonly due: Due | null;
}

type CompanyTotalsDecision = Decision<CompanyTotals>;

/** So that many changes are counted at once. */
const DELAY_MS = 500;
/** While facts keep changing. `complete_through` has to stay within five seconds. */
const NEXT_DELAY_MS = 2000;
/** Besides those of the business numbers. */
const REQUESTED_ZONES_MAX = 8;
/** Making the totals of a time zone reads every fact of the company. */
const ZONES_PER_HOUR = 20;
const HOUR_MS = 3_600_000;

const tooManyZones = refusal('rate_limited', 'too many new time zones of reports in an hour');

function blank(companyId: string): CompanyTotals {
  return {
    id: companyId,
    companyId,
    zones: [],
    requestedZones: [],
    zonesAddedAt: [],
    droppedZones: [],
    lastDropRun: 0,
    uncounted: null,
    counting: null,
    endedRun: 0,
    run: 0,
    epoch: 0,
    isBackfilled: false,
    due: null,
  };
}

/** Facts have changed with an event of this time. */
export function noteChange(
  current: CompanyTotals | undefined,
  companyId: string,
  since: Date,
  now: Date,
): CompanyTotalsDecision {
  const company = current ?? blank(companyId);
  const uncounted = earlierOf(company.uncounted, since);
  if (uncounted === company.uncounted && company.due) return decided(company);
  return decided({ ...company, uncounted, due: company.due ?? dueIn(now, DELAY_MS) });
}

/** A run begins: it counts what has been noted until now. */
export function startRun(current: CompanyTotals): CompanyTotalsDecision {
  return decided({
    ...current,
    run: current.run + 1,
    counting: firstUncounted(current),
    uncounted: null,
  });
}

/** The time zone of a report; `isLimited` unless it is one of the company's own. */
export interface ZoneRequest {
  readonly zone: string;
  readonly isLimited: boolean;
}

/** A report in a time zone was requested. */
export function requestZone(
  current: CompanyTotals | undefined,
  companyId: string,
  { zone, isLimited }: ZoneRequest,
  now: Date,
): CompanyTotalsDecision {
  const company = current ?? blank(companyId);
  const { zones, requestedZones, zonesAddedAt } = company;
  if (zones.includes(zone)) return decided(company);
  const due = dueIn(now, 0);
  if (requestedZones.includes(zone)) return decided({ ...company, due });
  // A pending time zone is dropped only for one of the company's own, because a reader waits for it.
  const leaving =
    requestedZones.length < REQUESTED_ZONES_MAX
      ? undefined
      : (requestedZones.find((other) => zones.includes(other)) ?? (isLimited ? null : requestedZones[0]));
  const lastHour = zonesAddedAt.filter((at) => Math.abs(now.getTime() - at.getTime()) < HOUR_MS);
  if (isLimited && (leaving === null || lastHour.length >= ZONES_PER_HOUR)) return refused(tooManyZones);
  return decided({
    ...company,
    requestedZones: [...requestedZones.filter((other) => other !== leaving), zone],
    zonesAddedAt: isLimited ? [...lastHour, now] : lastHour,
    due,
  });
}

/** True while its totals are being computed or are scheduled. */
export function isZonePending({ requestedZones, due }: CompanyTotals, zone: string): boolean {
  return due !== null && requestedZones.includes(zone);
}

/** True when the totals of a time zone exist and have not been dropped since the earlier state. */
export function isZoneReady({ zones, lastDropRun }: CompanyTotals, zone: string, since?: CompanyTotals): boolean {
  return zones.includes(zone) && (!since || since.lastDropRun === lastDropRun);
}

/** Time zones out of use are read no more from now on, so that their totals can be deleted. */
export function dropZones(current: CompanyTotals, inUse: readonly string[]): CompanyTotalsDecision {
  const leaving = current.zones.filter((zone) => !inUse.includes(zone));
  if (leaving.length === 0) return decided(current);
  return decided({
    ...current,
    zones: current.zones.filter((zone) => inUse.includes(zone)),
    droppedZones: [...new Set([...current.droppedZones, ...leaving])],
    lastDropRun: current.run,
  });
}

export interface CountedTotals {
  readonly zones: readonly string[];
  /** Everything that was noted before the run is counted. */
  readonly isAll: boolean;
  readonly epoch: number;
}

/** A run has ended; changes that were noted meanwhile are left. */
export function endRun(company: CompanyTotals, counted: CountedTotals, now: Date): CompanyTotalsDecision {
  const current = { ...company, droppedZones: [], endedRun: company.run };
  if (current.epoch !== counted.epoch) return decided({ ...current, due: dueIn(now, DELAY_MS) });
  const counting = counted.isAll ? null : current.counting;
  const isWanted = current.requestedZones.some((zone) => !counted.zones.includes(zone));
  const waitMs = counting ? 0 : isWanted ? DELAY_MS : current.uncounted ? NEXT_DELAY_MS : undefined;
  return decided({
    ...current,
    zones: counted.zones,
    counting,
    isBackfilled: true,
    due: waitMs === undefined ? null : dueIn(now, waitMs),
  });
}

/** When the first event happened that is not in the totals; null when all are. */
export function firstUncounted({ uncounted, counting }: CompanyTotals): Date | null {
  return uncounted ? earlierOf(counting, uncounted) : counting;
}

/** All totals of a company are made again, from what the owners have. */
export function startRebuild(current: CompanyTotals | undefined, companyId: string, now: Date): CompanyTotalsDecision {
  const company = current ?? blank(companyId);
  return decided({ ...company, zones: [], epoch: company.epoch + 1, isBackfilled: false, due: dueIn(now, 0) });
}

/** The first one if both are the same time. */
function earlierOf(one: Date | null, other: Date): Date {
  return one && one <= other ? one : other;
}
