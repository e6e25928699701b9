import { notFound, Refused } from '@parley/errors';
import { newId } from '@parley/secrets';
import { PhraseAudioService } from '@parley/proto/numbers_routing/v1/phrase_audio_pb';
import { ScheduleService } from '@parley/proto/numbers_routing/v1/schedules_pb';
import { RoutingService, type TargetingNumber } from '@parley/proto/numbers_routing/v1/routing_pb';
import { type FakeContract, fakeContract } from '@parley/stubs';

export interface FakeNumber {
  readonly id: string;
  readonly companyId: string;
  readonly number: string;
  name: string;
  timezone: string;
  language: string;
  active: boolean;
  canSend: boolean;
  canReceive: boolean;
  withinBusinessHours: boolean;
  autoReplyText: string | null;
}

/** Numbers and texting settings of numbers-routing, with the data of the test. */
export interface FakeNumbersRouting {
  readonly contracts: readonly FakeContract[];
  addNumber(companyId: string): FakeNumber;
  /** Called with the number of numbers in every list. */
  onListNumbers: ((count: number) => void) | undefined;
  /** Called for every request of a number's texting settings. */
  onGetTexting: (() => Promise<void>) | undefined;
  /** The numbers whose routing transfers to an employee; may throw. */
  targeting: (employeeId: string) => Promise<Partial<TargetingNumber>[]> | Partial<TargetingNumber>[];
  /** The numbers that have an assistant answer; may throw. */
  withAssistant: (assistantId: string) => Promise<Named[]> | Named[];
  /** The phrases whose audio it was to make, request by request. */
  readonly prepared: { companyId: string; owner: string; texts: readonly string[]; urgent: boolean }[];
  /** Called for every such request. */
  onPrepare: (() => Promise<void>) | undefined;
}

type Named = Pick<FakeNumber, 'id' | 'name'>;

let lastNumber = 70_000_000;

export function fakeNumbersRouting(): FakeNumbersRouting {
  const numbers: FakeNumber[] = [];
  const routing: FakeNumbersRouting = {
    contracts: [
      fakeContract(ScheduleService, {
        async getSchedule({ companyId, numberId }) {
          const found = numbers.find((one) => one.id === numberId && one.companyId === companyId);
          if (!found) throw new Refused(notFound);
          const { canSend, canReceive, withinBusinessHours: open, id, number, name, timezone } = found;
          const businessHours = [0, 1, 2, 3, 4, 5, 6].map((dayOfWeek) => ({
            dayOfWeek,
            open,
            openingAt: '00:00',
            closingAt: '24:00',
          }));
          const sms = { canSend, canReceive };
          return { number: { id, companyId, number, name, timezone, active: true, sms, businessHours }, closures: [] };
        },
      }),
      // No audio is made beforehand.
      fakeContract(PhraseAudioService, {
        async preparePhrases({ companyId, owner, texts, urgent }) {
          await routing.onPrepare?.();
          routing.prepared.push({ companyId, owner, texts, urgent });
          return { phrases: [] };
        },
        getPhraseAudio(): AsyncIterable<never> {
          throw new Refused(notFound);
        },
      }),
      fakeContract(RoutingService, {
        async getTexting({ key }) {
          await routing.onGetTexting?.();
          const found = numbers.find((one) => (key.case === 'id' ? one.id : one.number) === key.value);
          if (!found) throw new Refused(notFound);
          const { canSend, canReceive, withinBusinessHours, autoReplyText, ...number } = found;
          return {
            number: { ...number, sms: { canSend, canReceive } },
            settings: {
              autoReplyEnabled: autoReplyText !== null,
              ...(autoReplyText !== null && { autoReplyText }),
              autoReplyCooldownMinutes: 60,
            },
            withinBusinessHours,
          };
        },
        async getNumberByE164({ number }) {
          const found = numbers.find((one) => one.number === number);
          if (!found) throw new Refused(notFound);
          return { number: { id: found.id, companyId: found.companyId, number } };
        },
        async *listNumbers({ companyId, ids }) {
          const own = numbers.filter(
            (one) => one.companyId === companyId && (ids.length === 0 || ids.includes(one.id)),
          );
          routing.onListNumbers?.(own.length);
          yield {
            numbers: own.map(({ id, number, name, timezone, active, canSend, canReceive }) => ({
              id,
              companyId,
              number,
              name,
              timezone,
              active,
              sms: { canSend, canReceive },
            })),
          };
        },
        async listNumbersTargeting({ employeeId }) {
          return { numbers: (await routing.targeting(employeeId)) as TargetingNumber[] };
        },
        async listNumbersWithAssistant({ assistantId }) {
          return { numbers: await routing.withAssistant(assistantId) };
        },
      }),
    ],
    addNumber(companyId) {
      const number = {
        id: newId('num'),
        companyId,
        number: `+45${(lastNumber += 1)}`,
        name: 'Support',
        timezone: 'Europe/Copenhagen',
        language: 'en',
        active: true,
        canSend: true,
        canReceive: true,
        withinBusinessHours: true,
        autoReplyText: null,
      };
      numbers.push(number);
      return number;
    },
    onListNumbers: undefined,
    onGetTexting: undefined,
    targeting: () => [],
    withAssistant: () => [],
    prepared: [],
    onPrepare: undefined,
  };
  return routing;
}
