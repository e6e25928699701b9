import { describe, expect, it } from '@jest/globals';
import type { Event } from '@parley/events';
import { anOutboundMessage } from '../../test/an-outbound-message.ts';
import { inboxHandlers } from './inbox-followers.ts';

const message = anOutboundMessage();

/** The items that are applied after the event of a text. */
async function appliedBy(
  type: 'messaging-inbox.message.received' | 'messaging-inbox.message.created',
  { isListed = false, isStored = true } = {},
): Promise<string[]> {
  const applied: string[] = [];
  const handlers = inboxHandlers({
    projection: { apply: async ({ id }: { id: string }) => applied.push(id) > 0 },
    hasItem: async (_companyId: string, id: string) => isListed && id === message.id,
    messageOf: async (_companyId: string, id: string) => (isStored && id === message.id ? message : undefined),
  } as unknown as Parameters<typeof inboxHandlers>[0]);
  const handle = handlers[type] as ((payload: object, event: Event) => Promise<void>) | undefined;
  await handle?.({ message: { id: message.id } }, { companyId: message.companyId } as Event);
  return applied;
}

describe.each(['messaging-inbox.message.received', 'messaging-inbox.message.created'] as const)(
  'the event %s',
  (type) => {
    it('brings a text to the inbox that a process of the previous release has stored without a command', async () => {
      expect(await appliedBy(type)).toEqual([message.id]);
    });

    it('of a text that the inbox has changes nothing', async () => {
      expect(await appliedBy(type, { isListed: true })).toEqual([]);
    });

    it('of a text that was deleted meanwhile brings nothing back', async () => {
      expect(await appliedBy(type, { isStored: false })).toEqual([]);
    });
  },
);
