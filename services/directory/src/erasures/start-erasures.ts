import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type Decision, decided } from '@parley/errors';
import { type Aggregates, type Entity, NotAvailable, type RunningCommands } from '@parley/aggregates';
import type { Erase, ErasedPortion, Person } from '@parley/personal-data';
import { PersonalDataService } from '@parley/proto/privacy/v1/personal_data_pb';
import { pauseForRequests, runLongWork } from '@parley/queues';
import type { Channel } from '@parley/rpc';
import { currentPart, type EraseCommand, type ErasurePart, recordPortion } from './erasure.ts';
import type { Erasures } from './erasure-store.ts';

/** Removes a portion of what one service stores of a person. */
type ErasePart = (person: Person, erasureId: string, position: string) => Promise<ErasedPortion>;

/**
 * Keyed by service, in the order of erasure: a contact may be created from a call and a delivery from any object, so the sources
 * are erased before what is derived from them.
 */
export type ErasureParts = ReadonlyMap<string, ErasePart>;

/** A portion reads some hundred records; far more than that takes. */
const timeoutMs = 60_000;
/** Longer than a portion takes; another process takes over after it. */
const LEASE_MS = 90_000;
/** Erasures at a time in one process: they run beside the traffic. */
const CONCURRENCY = 2;

export function partOf(channel: Channel): ErasePart {
  const personalData = channel.client(PersonalDataService);
  return async ({ companyId, phoneNumber, before }, erasureId, position) => {
    const request = { companyId, phoneNumber, erasureId, before: timestampFromDate(before), position };
    const { removed, done, waiting, ...answer } = await personalData.erasePerson(request, { timeoutMs });
    return { removed, position: answer.position, isDone: done, isWaiting: waiting };
  };
}

export function ownPart(erase: Erase): ErasePart {
  return (person, _erasureId, position) => erase(person, position);
}

export function startErasures(erasures: Erasures, parts: ErasureParts): RunningCommands {
  return startErasing(erasures, CONCURRENCY, recordPortion, ({ id, companyId, phoneNumber, requestedAt }, part) => {
    const person = { companyId, phoneNumber: phoneNumber!, before: requestedAt };
    return parts.get(part.name)!(person, id, part.position);
  });
}

interface ErasedAggregate extends Entity {
  readonly companyId: string;
  readonly parts: readonly ErasurePart[];
}

/** Has one service after the other erase what it stores, a portion at a time. What fails, or whose process ends, is repeated. */
export function startErasing<State extends ErasedAggregate, Event>(
  aggregates: Aggregates<State, Event, EraseCommand>,
  concurrency: number,
  record: (current: State, portion: ErasedPortion, now: Date) => Decision<State, Event, EraseCommand>,
  erase: (current: State, part: ErasurePart) => Promise<ErasedPortion>,
): RunningCommands {
  return aggregates.startCommands<{ erase: ErasedPortion | null }>(
    {
      erase: {
        guarantee: 'until_confirmed',
        execute: (_command, { companyId, aggregateId }) =>
          runLongWork(async () => {
            const current = await aggregates.of(companyId).get(aggregateId);
            const part = current && currentPart(current);
            if (!part) return null;
            const portion = await erase(current, part);
            if (portion.isWaiting && portion.removed === 0) throw new NotAvailable('a call is in progress');
            // Most steps find little, and are not worth a pause.
            if (stepOf(portion.position) === stepOf(part.position)) await pauseForRequests();
            return portion;
          }),
        settle: (current: State, _command, portion, now) =>
          portion === null || 'unknown' in portion
            ? decided<State, Event, EraseCommand>(current)
            : record(current, portion, now),
      },
    },
    { concurrency, leaseMs: LEASE_MS },
  );
}

/** The step of an erasure, of which a position is a part. */
function stepOf(position: string): string | undefined {
  return position.split('/')[0];
}
