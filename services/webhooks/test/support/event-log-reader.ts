import { waitUntil } from '@parley/testkit';
import type { RunningWebhooks } from './running-webhooks.ts';

type Page = Awaited<ReturnType<RunningWebhooks['eventLog']['listEvents']>>;
export type ReadEvent = Page['events'][number] & { readonly json: { event: string; timestamp: string; data: any } };

/** A company that reads its events, from wherever its last page ended. */
export interface EventReader {
  readonly companyId: string;
  readonly read: ReadEvent[];
  /** Reads all there is. */
  readOn(): Promise<ReadEvent[]>;
  /** Reads on until there are so many. */
  readUntil(count: number): Promise<ReadEvent[]>;
  cursor(): string | undefined;
}

export function eventReader(
  { eventLog, as }: Pick<RunningWebhooks, 'eventLog' | 'as'>,
  companyId: string,
  { types = [], limit = 100, after }: { types?: string[]; limit?: number; after?: string } = {},
): EventReader {
  const read: ReadEvent[] = [];
  let cursor = after;
  async function readOn(): Promise<ReadEvent[]> {
    for (;;) {
      const page = await eventLog.listEvents(
        { ...(cursor !== undefined && { after: cursor }), types, limit },
        as(companyId),
      );
      read.push(...page.events.map((event) => ({ ...event, json: JSON.parse(event.body) as ReadEvent['json'] })));
      cursor = page.nextCursor;
      if (!page.hasMore) return read;
    }
  }
  return {
    companyId,
    read,
    readOn,
    cursor: () => cursor,
    readUntil: (count) =>
      waitUntil(async () => ((await readOn()).length >= count ? read : undefined), {
        what: `${count} events`,
        timeoutMs: 60_000,
      }),
  };
}
