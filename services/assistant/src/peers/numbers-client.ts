import { unlessNotFound } from '@parley/errors';
import { isId } from '@parley/secrets';
import { RoutingService } from '@parley/proto/numbers_routing/v1/routing_pb';
import type { Channel } from '@parley/rpc';

/** Business numbers from numbers-routing. */
export type Numbers = ReturnType<typeof numbersClient>;

export function numbersClient(channel: Channel) {
  const routing = channel.client(RoutingService);
  return {
    /** Whether a phone number, in E.164, is a business number of the company. */
    async isOwnNumber(companyId: string, number: string): Promise<boolean> {
      const found = await unlessNotFound(routing.getNumberByE164({ number }));
      return found?.number?.companyId === companyId;
    },
    /** Those of the given that are not numbers of the company, and never were. */
    async unknownNumbers(companyId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
      const possible = [...new Set(ids)].filter((id) => isId('num', id));
      const known = new Set<string>();
      if (possible.length > 0)
        for await (const { numbers } of routing.listNumbers({ companyId, ids: possible }))
          for (const { id } of numbers) known.add(id);
      return new Set(ids.filter((id) => !known.has(id)));
    },
    /** The numbers that have the assistant answer, or are just being changed to. */
    async withAssistant(companyId: string, assistantId: string): Promise<readonly { id: string; name: string }[]> {
      const { numbers } = await routing.listNumbersWithAssistant({ companyId, assistantId });
      return numbers.map(({ id, name }) => ({ id, name }));
    },
  };
}
