import { decided } from '@parley/errors';
import { NotAvailable, type RunningCommands } from '@parley/aggregates';
import type { ErasedPortion } from '@parley/personal-data';
import { currentPart, type EraseCommand, type Erasure, type ErasureEvent, recordPortion } from './erasure.ts';
import type { ErasureParts } from './erasure-parts.ts';
import type { Erasures } from './erasure-store.ts';

/** Erasures at a time in one process: they run beside the traffic. */
const CONCURRENCY = 2;
/** Longer than a portion takes; another process takes over after it. */
const LEASE_MS = 90_000;

/** Executes erasures, a portion at a time. One that fails, or whose process ends, is repeated. */
export function startErasures(erasures: Erasures, parts: ErasureParts): RunningCommands {
  return erasures.startCommands<{ erase: ErasedPortion | null }>(
    {
      erase: {
        guarantee: 'until_confirmed',
        async execute(_command, { companyId, aggregateId }) {
          const erasure = await erasures.of(companyId).get(aggregateId);
          const part = erasure && currentPart(erasure);
          if (!erasure || !part || erasure.phoneNumber === null) return null;
          const erase = parts.get(part.name);
          if (!erase) throw new Error(`there is no service ${part.name}`);
          const person = { companyId, phoneNumber: erasure.phoneNumber, before: erasure.requestedAt };
          const portion = await erase(person, erasure.id, part.position);
          if (portion.isWaiting && portion.removed === 0) throw new NotAvailable('a call is in progress');
          return portion;
        },
        settle: (erasure: Erasure, _command, portion, now) =>
          portion === null || 'unknown' in portion
            ? decided<Erasure, ErasureEvent, EraseCommand>(erasure)
            : recordPortion(erasure, portion, now),
      },
    },
    { concurrency: CONCURRENCY, leaseMs: LEASE_MS },
  );
}
