import { notFound, Refused } from '@parley/errors';
import { newId } from '@parley/ids';
import { RoutingService } from '@parley/proto/numbers_routing/v1/routing_pb';
import { createRpcServer, createVerifier, services } from '@parley/rpc';
import type { Telemetry } from '@parley/telemetry';

export interface TestNumber {
  readonly id: string;
  readonly companyId: string;
  readonly number: string;
  name: string;
  active: boolean;
  canSend: boolean;
  canReceive: boolean;
  withinBusinessHours: boolean;
  autoReplyText: string | null;
}

/** The part of numbers-routing that texts need, played with what a test says. */
export interface TestNumbers {
  addNumber(companyId: string, change?: Partial<TestNumber>): TestNumber;
  /** Is run whenever a number is asked for. */
  onAsk: (() => Promise<void>) | undefined;
  stop(): Promise<void>;
}

let last = 70_000_000;

export async function startTestNumbers(
  address: string,
  trusted: Record<string, string>,
  telemetry: Telemetry,
): Promise<TestNumbers> {
  const numbers: TestNumber[] = [];
  const server = createRpcServer({ telemetry, verify: createVerifier(trusted), ready: async () => true });
  const unused = async () => {
    throw new Refused(notFound);
  };
  server.add(RoutingService, services('messaging-inbox'), {
    async getTexting({ key }) {
      await testNumbers.onAsk?.();
      const found = numbers.find((one) => (key.case === 'id' ? one.id : one.number) === key.value);
      if (!found) throw new Refused(notFound);
      const { id, companyId, number, name, active, canSend, canReceive, withinBusinessHours, autoReplyText } = found;
      return {
        number: { id, companyId, number, name, active, language: 'en', sms: { canSend, canReceive } },
        settings: {
          autoReplyEnabled: autoReplyText !== null,
          ...(autoReplyText !== null && { autoReplyText }),
          autoReplyCooldownMinutes: 60,
        },
        withinBusinessHours,
      };
    },
    resolveRoute: unused,
    getNumber: unused,
    getNumberByE164: unused,
    async *listNumbers({ companyId }) {
      yield { numbers: numbers.filter((one) => one.companyId === companyId) };
    },
    listNumbersTargeting: unused,
  });
  await server.listen(address);
  const testNumbers: TestNumbers = {
    onAsk: undefined,
    addNumber(companyId, change = {}) {
      const number = {
        id: newId('num'),
        companyId,
        number: `+45${(last += 1)}`,
        name: 'Support',
        active: true,
        canSend: true,
        canReceive: true,
        withinBusinessHours: true,
        autoReplyText: null,
        ...change,
      };
      numbers.push(number);
      return number;
    },
    stop: () => server.close(1000),
  };
  return testNumbers;
}
