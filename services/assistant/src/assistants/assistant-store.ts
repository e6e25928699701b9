import { type Aggregates, createInFreeSlot, openAggregates, slotTaken } from '@parley/aggregates';
import { type Decision, refusal } from '@parley/errors';
import { encodeMessage } from '@parley/events';
import type { ServiceContext } from '../service-context.ts';
import { type Language, LANGUAGES } from '../words/languages.ts';
import { type Assistant, type AssistantEvent, removeEmployee } from './assistant.ts';

export interface Assistants extends Aggregates<Assistant, AssistantEvent> {
  /** One of the company, as it is now: a session reads it before each turn. */
  get(companyId: string, id: string): Promise<Assistant | undefined>;
  /** Oldest first. */
  list(companyId: string): Promise<readonly Assistant[]>;
  /** The languages of all active ones, of any company. */
  activeLanguages(): Promise<readonly Language[]>;
  /** Stores a new one in a free slot; the cap is exact under any concurrency. Throws `Refused`. */
  create(companyId: string, decide: (slot: number) => Decision<Assistant, AssistantEvent>): Promise<Assistant>;
  /** Takes somebody who was removed out of all transfer targets. */
  removeEmployee(companyId: string, employeeId: string): Promise<void>;
}

const ASSISTANTS_MAX = 20;
const OLDEST_FIRST = { createdOrder: 1 } as const;

const full = refusal('limit_reached', `a company has at most ${ASSISTANTS_MAX} assistants`);

export async function openAssistants({
  db,
  relay,
  clock,
}: Pick<ServiceContext, 'db' | 'relay' | 'clock'>): Promise<Assistants> {
  const assistants = await openAggregates<Assistant, AssistantEvent>({
    db,
    collection: 'assistants',
    relay,
    clock,
    // Other processes answer from what they have read until an event drops it.
    announced: true,
    encode: ({ type, assistant: { id, name } }) => encodeMessage(type, { assistantId: id, name }),
    indexes: [
      { name: 'company_oldest', key: { companyId: 1, createdOrder: 1 } },
      { name: 'active_language', key: { active: 1, language: 1 } },
      { name: 'company_slot', key: { companyId: 1, slot: 1 }, unique: true },
      { name: 'company_targets', key: { companyId: 1, targetIds: 1 } },
    ],
    collisions: { company_slot: slotTaken },
  });
  return {
    ...assistants,
    get: (companyId, id) => assistants.of(companyId).get(id),
    list: (companyId) => Array.fromAsync(assistants.of(companyId).find({}, OLDEST_FIRST)),
    async activeLanguages() {
      const found = await Promise.all(
        LANGUAGES.map((language) => assistants.acrossCompanies.findOne({ active: true, language })),
      );
      return LANGUAGES.filter((_, index) => found[index]);
    },
    create: (companyId, decide) =>
      createInFreeSlot(assistants.of(companyId), { among: {}, field: 'slot', max: ASSISTANTS_MAX, full }, decide),
    async removeEmployee(companyId, employeeId) {
      const own = assistants.of(companyId);
      const found = await own.findFields(['id'], { targetIds: employeeId }, {}, ASSISTANTS_MAX);
      for (const { id } of found)
        await own.changeIfExists(id, (current) => removeEmployee(current, employeeId, clock.now()));
    },
  };
}
