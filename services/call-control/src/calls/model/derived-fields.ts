import { NOBODY } from '@parley/personal-data';
import { openTransfer } from './transfer.ts';
import type { Call, CallDirection } from './call.ts';
import type { Offer } from './offer.ts';

type Derived = Pick<
  Call,
  'remoteNumber' | 'outsideNumbers' | 'listKeys' | 'isOpen' | 'legIds' | 'waitingFor' | 'offeredTo' | 'activeFor'
>;

/** Fields for queries, derived from the call; `before`: as it was, with the keys of its lists, which hardly ever change. */
export function derivedFields(call: Omit<Call, keyof Derived>, before?: Call): Derived {
  const { phase, direction, number, legs } = call;
  const remoteNumber = direction === 'inbound' ? call.from : call.to;
  const transfer = openTransfer(call.transfers);
  const talkingTo = 'employee' in phase ? [phase.employee.id] : [];
  const outsideNumbers = outsideNumbersOf(call, before?.outsideNumbers);
  return {
    remoteNumber,
    ...(outsideNumbers.length > 0 && { outsideNumbers }),
    listKeys:
      before?.remoteNumber === remoteNumber && before.number.id === number.id && before.direction === direction
        ? before.listKeys
        : listKeysOf({ numberId: number.id, direction, remoteNumber }),
    isOpen: call.state !== 'ended',
    legIds: legs.map(({ id }) => id),
    waitingFor: isDue(call) && phase.kind === 'waiting' ? phase.employeeIds : [],
    offeredTo: [
      ...offersOf(phase).map(({ employee }) => employee.id),
      ...(call.supervision ? [call.supervision.supervisor.id] : []),
      ...(call.takeover ? [call.takeover.employee.id] : []),
    ],
    activeFor: [...talkingTo, ...(transfer?.to ? [transfer.to.id] : []), ...activeBesides(phase)],
  };
}

/** Whom an assistant rings, and who takes over from it. */
function activeBesides(phase: Call['phase']): readonly string[] {
  if (phase.kind !== 'assisted') return [];
  const { stage } = phase;
  const takesOver = stage.kind === 'handing_over' && stage.actionId === null && stage.to ? [stage.to.id] : [];
  return [...offersOf(phase).map(({ employee }) => employee.id), ...takesOver];
}

/** False while the call rings at nobody further: it is called back later, or rings one employee after the other. */
function isDue({ phase, number, callback }: Pick<Call, 'phase' | 'number' | 'callback'>): boolean {
  return !callback?.notBefore && !(number.ringStrategy && offersOf(phase).length > 0);
}

/** Those of before stay: the timeline has them longer than the legs and transfers. */
function outsideNumbersOf(
  {
    phase,
    transfers,
    legs,
    callback,
    assistant,
  }: Pick<Call, 'phase' | 'transfers' | 'legs' | 'callback' | 'assistant'>,
  before: readonly string[] = [],
): readonly string[] {
  const now = [
    'phoneNumber' in phase ? phase.phoneNumber : undefined,
    ...transfers.flatMap(({ outside, forwardTo }) => [outside?.phoneNumber, forwardTo]),
    ...legs.map(({ outside }) => outside?.to),
    callback?.number,
    assistant?.promisedCallback?.number ?? undefined,
  ].filter((number) => number !== undefined && number !== NOBODY && !before.includes(number));
  return now.length === 0 ? before : [...new Set([...before, ...(now as string[])])];
}

/** The offers that ring at employees. */
export function offersOf(phase: Call['phase']): readonly Offer[] {
  if (phase.kind === 'calling_employee') return [phase.offer];
  if (phase.kind === 'returning') return phase.offer ? [phase.offer] : [];
  if (phase.kind === 'assisted') return phase.stage.kind === 'transferring' ? phase.stage.offers : [];
  return phase.kind === 'waiting' ? phase.offers : [];
}

/** The same with the lists of before where they are equal: what stays the same is not written, nor are its indexes. */
export function updatedFields(before: Derived, after: Derived): Derived {
  const kept = (one: readonly string[], other: readonly string[]) =>
    one.length === other.length && one.every((item, index) => item === other[index]) ? one : other;
  return {
    ...after,
    listKeys: kept(before.listKeys, after.listKeys),
    legIds: kept(before.legIds, after.legIds),
    waitingFor: kept(before.waitingFor, after.waitingFor),
    offeredTo: kept(before.offeredTo, after.offeredTo),
    activeFor: kept(before.activeFor, after.activeFor),
  };
}

/** The filters of a list that never change during a call. */
export interface ListFilter {
  readonly numberId?: string;
  readonly direction?: CallDirection;
  readonly remoteNumber?: string;
}

/**
 * One key for each combination of filters: a list with any of them reads exactly the calls it answers with, newest
 * first, from one index, however many calls there are.
 */
function listKeysOf(call: Required<ListFilter>): readonly string[] {
  const { numberId, direction, remoteNumber } = call;
  return [{}, { numberId }].flatMap((a) =>
    [{}, { direction }].flatMap((b) => [{}, { remoteNumber }].map((c) => listKey({ ...a, ...b, ...c }))),
  );
}

/** The key of a list of calls with a tag and the filters of another key. */
export function tagListKey(tagKey: string, key: string): string {
  return `${tagKey}|${key}`;
}

/** The key of a list with these filters. */
export function listKey({ numberId = '', direction, remoteNumber = '' }: ListFilter): string {
  return `${numberId}|${direction ?? ''}|${remoteNumber}`;
}
