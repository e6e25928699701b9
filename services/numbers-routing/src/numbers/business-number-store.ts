import type { Clock } from '@parley/clock';
import { openAggregates, type Relay } from '@parley/aggregates';
import type { Db } from 'mongodb';
import { type BusinessNumber, type BusinessNumberEvent, numberTaken } from './business-number.ts';
import { encodeNumberEvent } from './business-number-proto.ts';

export type BusinessNumbers = Awaited<ReturnType<typeof openBusinessNumbers>>;

/** The order of lists, backed by the index of the same fields. */
export const OLDEST_FIRST = { createdOrder: 1 } as const;

export async function openBusinessNumbers(db: Db, relay: Relay, clock: Clock) {
  const numbers = await openAggregates<BusinessNumber, BusinessNumberEvent>({
    db,
    collection: 'business_numbers',
    relay,
    clock,
    encode: encodeNumberEvent,
    announced: true,
    indexes: [
      { name: 'number', key: { number: 1 }, unique: true },
      { name: 'company_oldest', key: { companyId: 1, createdOrder: 1 } },
      { name: 'company_targets', key: { companyId: 1, targetIds: 1 } },
      { name: 'company_assistants', key: { companyId: 1, assistantIds: 1 } },
      { name: 'prompts', key: { promptKeys: 1 } },
    ],
    collisions: { number: numberTaken },
  });
  return {
    ...numbers,
    /** Searches all companies, because a call contains only the dialled number. */
    byE164: (number: string) => numbers.acrossCompanies.findOne({ number }),
    /** Searches all companies, because equal prompts share their audio. */
    anyUsesPrompt: async (promptKey: string) =>
      (await numbers.acrossCompanies.findOne({ promptKeys: promptKey })) !== undefined,
  };
}
