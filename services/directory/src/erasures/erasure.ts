import type { AuditEntry, Audited } from '@parley/actor';
import { type Decision, decided, type Refusal, refusal, refused } from '@parley/errors';
import type { ErasedPortion } from '@parley/personal-data';
import { type GivenPerson, personNumber } from './person-number.ts';

type ErasureState = 'running' | 'done';

/** The progress of one service. */
export interface ErasurePart {
  /** The service. */
  readonly name: string;
  readonly state: ErasureState;
  /** Records that were removed. */
  readonly removed: number;
  /** The page token at which the service continues. */
  readonly position: string;
}

/** The erasure of everything that is stored of a person. */
export interface Erasure {
  readonly id: string;
  readonly companyId: string;
  /** Null once it is done. */
  readonly phoneNumber: string | null;
  readonly state: ErasureState;
  /** One of the company's numbered slots while it is running: there are as many as may run at once. */
  readonly slot?: number;
  readonly parts: readonly ErasurePart[];
  /** Records that begin later are new and stay. */
  readonly requestedAt: Date;
  readonly doneAt: Date | null;
  readonly logExpiresAt: Date;
}

export interface ErasureEvent extends Audited {
  readonly type: 'directory.erasure.requested';
  readonly erasureId: string;
}

/** Has the first part that is not done remove a portion. */
export interface EraseCommand {
  readonly kind: 'erase';
}

export type ErasureDecision = Decision<Erasure, ErasureEvent, EraseCommand>;

const DAY_MS = 24 * 3600 * 1000;
/** The logs of all services keep events this long. */
const LOG_DAYS = 30;
const ERASE: EraseCommand = { kind: 'erase' };

/** Each of them reads the logs of all services: more of them have to wait for those that are running. */
export const RUNNING_MAX = 10;

export const tooManyErasures: Refusal = refusal('rate_limited', `at most ${RUNNING_MAX} erasures run at a time`);

/** `country`: the company's, by whose numbering plan national numbers are read. */
export function requestErasure(
  identity: Pick<Erasure, 'id' | 'companyId' | 'slot'>,
  given: GivenPerson & { readonly parts: readonly string[] },
  country: string,
  now: Date,
): ErasureDecision {
  const person = personNumber(given, country);
  if ('refusal' in person) return refused(person.refusal);
  const erasure: Erasure = {
    ...identity,
    phoneNumber: person.number,
    state: 'running',
    parts: newParts(given.parts),
    requestedAt: now,
    doneAt: null,
    logExpiresAt: new Date(now.getTime() + LOG_DAYS * DAY_MS),
  };
  const { id } = identity;
  const audit: AuditEntry = { type: 'erasure.requested', object: { type: 'erasure', id, name: '' }, changes: {} };
  return decided<Erasure, ErasureEvent, EraseCommand>(
    erasure,
    [{ type: 'directory.erasure.requested', erasureId: id, audit }],
    { commands: [ERASE] },
  );
}

/** The part that is to remove something next; undefined when all are done. */
export function currentPart({ parts }: Pick<Erasure, 'parts'>): ErasurePart | undefined {
  return parts.find(({ state }) => state === 'running');
}

/** The parts after the current one has removed a portion. */
export function partsAfter(parts: readonly ErasurePart[], portion: ErasedPortion): readonly ErasurePart[] {
  const current = currentPart({ parts });
  return parts.map((part) => {
    if (part !== current) return part;
    const removed = part.removed + portion.removed;
    return portion.isDone
      ? { ...part, removed, state: 'done', position: '' }
      : { ...part, removed, position: portion.position };
  });
}

/** A part has removed a portion. Once all are done, the number is forgotten. */
export function recordPortion(erasure: Erasure, portion: ErasedPortion, now: Date): ErasureDecision {
  if (!currentPart(erasure)) return decided<Erasure, ErasureEvent, EraseCommand>(erasure);
  const next: Erasure = { ...erasure, parts: partsAfter(erasure.parts, portion) };
  if (currentPart(next)) return decided<Erasure, ErasureEvent, EraseCommand>(next, [], { commands: [ERASE] });
  const { slot: _slot, ...done } = next;
  return decided<Erasure, ErasureEvent, EraseCommand>({ ...done, state: 'done', phoneNumber: null, doneAt: now });
}

/** A part for each of the services, none of which has begun. */
export function newParts(names: readonly string[]): ErasurePart[] {
  return names.map((name) => ({ name, state: 'running', removed: 0, position: '' }));
}
