import type { Clock } from '@parley/clock';
import { type Aggregates, openAggregates, type Relay } from '@parley/aggregates';
import { batch, batching } from '@parley/queues';
import type { Db } from 'mongodb';
import { type RecordedCall, recordedFields } from '../model/call-record.ts';
import {
  type Call,
  type CallEvent,
  type CallState,
  isOnHold,
  OPEN_CALL_FIELDS,
  type OpenCall,
  OPEN_STATES,
} from '../model/call.ts';
import type { CallCommand, CallTimer } from '../model/call-command.ts';
import { QUEUE_FIELDS } from '../model/queue-position.ts';
import { encodeCallEvent } from './call-proto.ts';
import { type ListFilter, listKey, tagListKey } from '../model/derived-fields.ts';

type CallAggregates = Aggregates<Call, CallEvent, CallCommand, CallTimer>;

/** Filters of a list; state changes during a call, the others do not. */
interface CallFilter extends ListFilter {
  readonly state?: CallState;
  /** Every form in which the requested tag may be stored. */
  readonly tagKeys?: readonly string[];
  /** Times of the start, both inclusive. */
  readonly startedAfter?: Date;
  readonly startedBefore?: Date;
  /** The last call of the page before. */
  readonly after?: CallPosition;
}

/** A call's place in a list. */
export interface CallPosition {
  readonly startedAt: Date;
  readonly id: string;
}

/** Until a time, and behind another call. */
interface CallRange {
  readonly until?: Date;
  readonly after?: CallPosition | undefined;
}

/** All calls. */
export type Calls = Awaited<ReturnType<typeof openCalls>>;

const OLDEST_FIRST = { startedAt: 1, id: 1 } as const;
/** A waiting call is `transferring` while it rings. */
const QUEUE_STATES = ['queued', 'transferring'] as const;
/** Far more than a company may have at once. */
const OPEN_MAX = 2000;
/** Whoever waits behind so many is shown no place. */
const QUEUE_MAX = 1000;
const PAGE = 200;
/** Calls of some seconds at the busiest; one has about 10 KB. */
const RECENT_MAX = 2000;
const NEWEST_FIRST = { startedAt: -1, id: -1 } as const;
const whileOpen = { partialFilterExpression: { isOpen: true } } as const;

const callIndexes = [
  { name: 'list', key: { companyId: 1, listKeys: 1, startedAt: -1, _id: -1 } },
  // Only calls that have or had tags are in it.
  {
    name: 'tagged',
    key: { companyId: 1, tagListKeys: 1, startedAt: -1, _id: -1 },
    partialFilterExpression: { tagListKeys: { $exists: true } },
  },
  // Only calls that were forwarded or transferred to a phone outside are in it.
  {
    name: 'outside',
    key: { companyId: 1, outsideNumbers: 1, startedAt: 1, _id: 1 },
    partialFilterExpression: { outsideNumbers: { $exists: true } },
  },
  { name: 'open_by_state', key: { companyId: 1, state: 1, startedAt: -1, _id: -1 }, ...whileOpen },
  // Two processes that see one leg arrive make one call of it. MongoDB indexes an empty list as one value, and many calls
  // without legs may wait to call back: a list without a string is not in it.
  {
    name: 'leg',
    key: { legIds: 1 },
    unique: true,
    partialFilterExpression: { isOpen: true, legIds: { $gt: '' } },
  },
  { name: 'switch', key: { 'switch.name': 1, startedAt: 1 }, ...whileOpen },
  { name: 'waiting', key: { 'phase.kind': 1, queuedAt: 1 }, ...whileOpen },
  { name: 'waiting_for', key: { companyId: 1, waitingFor: 1, queuedAt: 1 }, ...whileOpen },
  { name: 'offered_to', key: { companyId: 1, offeredTo: 1 }, ...whileOpen },
  { name: 'active_for', key: { companyId: 1, activeFor: 1 }, ...whileOpen },
] as const;

export async function openCalls(options: { db: Db; relay: Relay; clock: Clock }) {
  const { db, relay, clock } = options;
  const aggregates = await openAggregates<Call, CallEvent, CallCommand, CallTimer>({
    db,
    collection: 'calls',
    relay,
    clock,
    encode: encodeCallEvent,
    indexes: callIndexes.map((index) => ({ ...index })),
    // A call is written several times within seconds, by the process that reads its switch.
    recentMax: RECENT_MAX,
    writeWaitMs: batching.callWrites.waitMs,
  });
  return { ...aggregates, ...openCallQueries(aggregates), ...employeeQueries(aggregates), ...listQueries(aggregates) };
}

/** More than a switch can have at once. */
const COUNTED_MAX = 1_000_000;

function openCallQueries({ of, acrossCompanies }: CallAggregates) {
  return {
    /** The open call that a leg belongs to; a switch has no companies. A flood of calls that are refused asks for each of their legs. */
    byLeg: batch(async (legIds: readonly string[]) => {
      const filter = { legIds: legIds.length === 1 ? legIds[0]! : { $in: [...legIds] }, isOpen: true };
      const found = await Array.fromAsync(acrossCompanies.find(filter, { startedAt: 1 }));
      return legIds.map((legId) => found.find((call) => call.legIds.includes(legId)));
    }, batching.reads),
    /** Every open call on a switch. */
    openOn: (switchName: string) => acrossCompanies.find({ 'switch.name': switchName, isOpen: true }, { startedAt: 1 }),
    countOpenOn: (switchName: string) =>
      acrossCompanies.count(COUNTED_MAX, { 'switch.name': switchName, isOpen: true }),
    /** The legs of every open call on a switch. */
    openLegsOn: async (switchName: string) =>
      (await acrossCompanies.valuesOf('legIds', { 'switch.name': switchName, isOpen: true })).flat(),
    /** Open calls that ring somebody as soon as somebody is available, in order of arrival. */
    waiting: (limit: number) =>
      acrossCompanies.find({ 'phase.kind': 'waiting', waitingFor: { $gt: '' }, isOpen: true }, { queuedAt: 1 }, limit),
    /** The calls that would ring an employee, in order of arrival. */
    waitingFor: (companyId: string, employeeId: string) =>
      of(companyId).find({ waitingFor: employeeId, isOpen: true }, { queuedAt: 1 }),
    /** The open calls of a company that may wait for an employee, as far as their places are concerned; the oldest ones of very many. */
    queueOf: (companyId: string, limit: number = QUEUE_MAX) =>
      of(companyId).findFields(QUEUE_FIELDS, { state: { $in: [...QUEUE_STATES] }, isOpen: true }, OLDEST_FIRST, limit),
    /** Every open call of a company, as far as a live report needs it; the oldest ones of very many. */
    openOf: (companyId: string) =>
      of(companyId).findFields(OPEN_CALL_FIELDS, { state: { $in: OPEN_STATES }, isOpen: true }, OLDEST_FIRST, OPEN_MAX),
    /** Every open call of a company, oldest first, page by page. */
    openPages: (companyId: string) =>
      pages<OpenCall>((last) => {
        const filter = { state: { $in: OPEN_STATES }, isOpen: true, ...(last && startedAfter(last)) };
        return of(companyId).findFields(OPEN_CALL_FIELDS, filter, OLDEST_FIRST, PAGE);
      }),
  };
}

function employeeQueries({ of }: CallAggregates) {
  const openCalls = (companyId: string, field: 'activeFor' | 'offeredTo', employeeId: string) =>
    Array.fromAsync(of(companyId).find({ [field]: employeeId, isOpen: true }, { startedAt: 1 }));
  return {
    /** The calls that ring at an employee. */
    offeredTo: (companyId: string, employeeId: string) => openCalls(companyId, 'offeredTo', employeeId),
    /** The call an employee is in, or is the target of a transfer of: of two, the one that is not on hold. */
    async activeFor(companyId: string, employeeId: string): Promise<Call | undefined> {
      const active = await openCalls(companyId, 'activeFor', employeeId);
      return active.find((call) => !isOnHold(call)) ?? active[0];
    },
    /** The open calls that an employee is in, is rung for, or is the target of a transfer of. */
    involving: async (companyId: string, employeeId: string) =>
      (
        await Promise.all([
          openCalls(companyId, 'activeFor', employeeId),
          openCalls(companyId, 'offeredTo', employeeId),
        ])
      ).flat(),
  };
}

function listQueries({ of }: CallAggregates) {
  const oldestOf = (
    companyId: string,
    key: { readonly listKeys: string } | { readonly outsideNumbers: string },
    limit: number,
    { until, after }: CallRange,
  ) => {
    const startedAt = { ...(after && { $gte: after.startedAt }), ...(until && { $lte: until }) };
    const filter = {
      ...key,
      ...(Object.keys(startedAt).length > 0 && { startedAt }),
      ...(after && { $or: [{ startedAt: { $gt: after.startedAt } }, { id: { $gt: after.id } }] }),
    };
    return Array.fromAsync(of(companyId).find(filter, OLDEST_FIRST, limit));
  };
  /** The calls of a company, oldest first. */
  const oldest = (companyId: string, limit: number, range: CallRange) =>
    oldestOf(companyId, { listKeys: listKey({}) }, limit, range);
  return {
    oldest,
    /** The calls that were forwarded or transferred to a phone outside, oldest first. */
    withOutsideNumber: (companyId: string, phoneNumber: string, limit: number, range: CallRange) =>
      oldestOf(companyId, { outsideNumbers: phoneNumber }, limit, range),
    /** Those of the given that are there. */
    byIds: (companyId: string, ids: readonly string[]) =>
      Array.fromAsync(of(companyId).find({ id: { $in: [...ids] } }, { id: 1 })),
    /** The recordings of those. */
    recordingsOf: async (companyId: string, ids: readonly string[]) => {
      const found = await of(companyId).findFields(['recordings'], { id: { $in: [...ids] } }, { id: 1 }, ids.length);
      return found.flatMap(({ recordings }) => recordings);
    },
    /** Every call of a company, oldest first. */
    allOf: (companyId: string) => pages<Call>((after) => oldest(companyId, PAGE, { after })),
    list: (companyId: string, filter: CallFilter, limit: number) =>
      Array.fromAsync(of(companyId).find(listFilter(filter), NEWEST_FIRST, limit)),
    /** The ids of the same. */
    listIds: async (companyId: string, filter: CallFilter, limit: number) =>
      (await of(companyId).findFields(['id'], listFilter(filter), NEWEST_FIRST, limit)).map(({ id }) => id),
    /** Every call that fits, newest first, with the fields of its record. */
    recordsOf: (companyId: string, filter: CallFilter) =>
      pages<RecordedCall>((after) => {
        const wanted = listFilter({ ...filter, ...(after && { after }) });
        return of(companyId).findFields(recordedFields, wanted, NEWEST_FIRST, PAGE);
      }),
  };
}

/** A query for each page: a single one would take longer than a query may. */
async function* pages<Item>(
  read: (last: Item | undefined) => Promise<Item[]>,
): AsyncGenerator<Item[], void, undefined> {
  let page: Item[];
  let last: Item | undefined;
  do {
    page = await read(last);
    if (page.length > 0) yield page;
    last = page.at(-1);
  } while (page.length === PAGE);
}

/**
 * Open calls are few, and found by their state. Nearly every call has ended, so a list of those reads hardly more than
 * it answers with.
 */
function listFilter({ state, tagKeys, startedAfter, startedBefore, after, ...rest }: CallFilter) {
  const times = {
    ...(startedAfter && { $gte: startedAfter }),
    ...((startedBefore || after) && { $lte: earlier(startedBefore, after?.startedAt) }),
  };
  const filter = {
    ...(tagKeys ? { tagListKeys: taggedWith(tagKeys, listKey(rest)) } : { listKeys: listKey(rest) }),
    ...(Object.keys(times).length > 0 && { startedAt: times }),
    ...(after && { $or: [{ startedAt: { $lt: after.startedAt } }, { id: { $lt: after.id } }] }),
  };
  if (state === undefined) return filter;
  return state === 'ended' ? { ...filter, isOpen: false } : { ...filter, state, isOpen: true };
}

/** Behind this one, oldest first. */
function startedAfter({ startedAt, id }: CallPosition) {
  return { startedAt: { $gte: startedAt }, $or: [{ startedAt: { $gt: startedAt } }, { id: { $gt: id } }] };
}

function taggedWith(tagKeys: readonly string[], key: string) {
  const keys = tagKeys.map((tagKey) => tagListKey(tagKey, key));
  return keys.length === 1 ? keys[0]! : { $in: keys };
}

function earlier(a: Date | undefined, b: Date | undefined): Date | undefined {
  if (!a || !b) return a ?? b;
  return a < b ? a : b;
}
