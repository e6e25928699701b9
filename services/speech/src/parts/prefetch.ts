import type { Logger } from '@parley/telemetry';
import type { Part } from './part.ts';
import type { PartStore } from './part-store.ts';

/** Fetches what is missing, one part after the other; a failure is told and left to the first need. */
export async function prefetch(parts: readonly Part[], store: PartStore, log: Pick<Logger, 'warn'>): Promise<void> {
  for (const part of parts) {
    try {
      await store.prefetch(part);
    } catch (error) {
      log.warn({ err: error, part: part.name }, 'a part could not be fetched ahead');
      return;
    }
  }
}
