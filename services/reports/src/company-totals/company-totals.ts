import { type Decision, decided, type Due, dueIn, refusal, refused } from '@parley/errors';
import type { FactKind } from '../facts/fact.ts';
import { scopeKey, scopesOf } from '../totals/total.ts';

/** An hour (UTC) in which facts have changed since its totals were made. */
export interface ChangedHour {
  readonly kind: FactKind;
  /** Milliseconds. */
  readonly hour: number;
  /** Whose totals are affected, besides everybody's. */
  readonly businessNumberIds: readonly string[];
  readonly employeeIds: readonly string[];
  /** The change that was noted last. */
  readonly revision: number;
  /** When the event happened that changed something first. */
  readonly since: Date;
}

/** The state of a company's totals: which are up to date and which have to be computed. */
export interface CompanyTotals {
  /** The company's id. */
  readonly id: string;
  readonly companyId: string;
  /** Time zones whose totals have been made. */
  readonly zones: readonly string[];
  /** Time zones that a report was requested in, the latest last. */
  readonly requestedZones: readonly string[];
  /** When time zones were first requested, or again after they were dropped, in the last hour. */
  readonly zonesAddedAt?: readonly Date[];
  /** Time zones out of use whose totals are still to be deleted. */
  readonly droppedZones?: readonly string[];
  /** The last run that dropped a time zone: totals that were read across it may have been deleted meanwhile. */
  readonly lastDropRun?: number;
  readonly changed: readonly ChangedHour[];
  readonly revision: number;
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
/** While facts keep changing: every run reads the facts of the day. `complete_through` has to stay within five seconds. */
const NEXT_DELAY_MS = 2000;
/** Beyond it all totals are made again, instead of remembering which. */
const CHANGED_MAX = 1000;
/** Besides those of the business numbers. */
const WANTED_ZONES_MAX = 8;
/** Making the totals of a time zone reads every fact of the company. */
const ZONES_PER_HOUR = 20;
const HOUR_MS = 3_600_000;

const tooManyZones = refusal('rate_limited', 'too many new time zones of reports in an hour');

export type Change = Omit<ChangedHour, 'revision'>;

function blank(companyId: string): CompanyTotals {
  return {
    id: companyId,
    companyId,
    zones: [],
    requestedZones: [],
    changed: [],
    revision: 0,
    run: 0,
    epoch: 0,
    isBackfilled: false,
    due: null,
  };
}

export function noteChanges(
  current: CompanyTotals | undefined,
  companyId: string,
  changes: readonly Change[],
  now: Date,
): CompanyTotalsDecision {
  const company = current ?? blank(companyId);
  const revision = company.revision + 1;
  const byHour = new Map(company.changed.map((change) => [keyOf(change), change]));
  for (const change of changes) {
    const before = byHour.get(keyOf(change));
    byHour.set(keyOf(change), {
      kind: change.kind,
      hour: change.hour,
      businessNumberIds: union(before?.businessNumberIds, change.businessNumberIds),
      employeeIds: union(before?.employeeIds, change.employeeIds),
      revision,
      since: before && before.since < change.since ? before.since : change.since,
    });
  }
  const isTooMuch = byHour.size > CHANGED_MAX;
  return decided({
    ...company,
    revision,
    changed: isTooMuch ? [] : [...byHour.values()],
    zones: isTooMuch ? [] : company.zones,
    epoch: isTooMuch ? company.epoch + 1 : company.epoch,
    due: company.due ?? dueIn(now, DELAY_MS),
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
  const { zones, requestedZones, zonesAddedAt = [] } = company;
  if (zones.includes(zone)) return decided(company);
  const due = dueIn(now, 0);
  if (requestedZones.includes(zone)) return decided({ ...company, due });
  // A pending time zone is dropped only for one of the company's own, because a reader waits for it.
  const leaving =
    requestedZones.length < WANTED_ZONES_MAX
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
    droppedZones: [...new Set([...(current.droppedZones ?? []), ...leaving])],
    lastDropRun: current.run,
  });
}

export interface MadeTotals {
  readonly zones: readonly string[];
  readonly changed: readonly ChangedHour[];
  readonly epoch: number;
}

/** The totals are computed; changes that were recorded meanwhile are left. */
export function totalsMade(company: CompanyTotals, made: MadeTotals, now: Date): CompanyTotalsDecision {
  const current = { ...company, droppedZones: [] };
  if (current.epoch !== made.epoch) return decided({ ...current, due: dueIn(now, DELAY_MS) });
  const done = new Map(made.changed.map((change) => [keyOf(change), change.revision]));
  const changed = current.changed.filter((change) => done.get(keyOf(change)) !== change.revision);
  const isWanted = current.requestedZones.some((zone) => !made.zones.includes(zone));
  const isOpen = changed.length > 0 || isWanted;
  return decided({
    ...current,
    zones: made.zones,
    changed,
    isBackfilled: true,
    due: isOpen ? dueIn(now, isWanted ? DELAY_MS : NEXT_DELAY_MS) : null,
  });
}

/** The first event that is not in the totals; undefined when all are. */
export function uncountedSince({ changed }: CompanyTotals): Date | undefined {
  return changed.length === 0 ? undefined : new Date(Math.min(...changed.map(({ since }) => since.getTime())));
}

/** All totals of a company are made again, from what the owners have. */
export function startRebuild(current: CompanyTotals | undefined, companyId: string, now: Date): CompanyTotalsDecision {
  const company = current ?? blank(companyId);
  return decided({ ...company, zones: [], epoch: company.epoch + 1, isBackfilled: false, due: dueIn(now, 0) });
}

/** The scopes whose totals change with an hour. */
export function affectedScopes(change: Change): Set<string> {
  const { employeeIds } = change;
  const scopes = change.businessNumberIds.flatMap((businessNumberId) => scopesOf({ businessNumberId, employeeIds }));
  return new Set(scopes.map(scopeKey));
}

const keyOf = ({ kind, hour }: Pick<ChangedHour, 'kind' | 'hour'>): string => `${kind} ${hour}`;

function union(some: readonly string[] = [], others: readonly string[]): readonly string[] {
  return [...new Set([...some, ...others])];
}
