import { LRUCache } from 'lru-cache';
import type { MessageStatus } from '../messages/message.ts';
import { statusToProto } from '../messages/message-proto.ts';
import type { Messages } from '../messages/message-store.ts';
import type { TextPreview } from './inbox-proto.ts';

/** The previews of texts in a list, by their ids. */
export type TextPreviews = (companyId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, TextPreview>>;

const CACHED_MAX = 10_000;
/** Texts that were erased do not stay in memory for longer. */
const CACHED_MS = 10 * 60_000;

/** A text with one of these never changes again. */
const finalStatuses: readonly MessageStatus[] = ['received', 'delivered'];

export function textPreviews(messages: Pick<Messages, 'previews' | 'textOf'>): TextPreviews {
  const cache = new LRUCache<string, TextPreview>({ max: CACHED_MAX, ttl: CACHED_MS, ttlResolution: 1000 });
  return async (companyId, ids) => {
    const found = new Map<string, TextPreview>();
    const missing: string[] = [];
    for (const id of ids) {
      const known = cache.get(`${companyId}/${id}`);
      if (known) found.set(id, known);
      else missing.push(id);
    }
    for (const message of await messages.previews(companyId, missing)) {
      const preview = { text: messages.textOf(message), status: statusToProto(message.status) };
      found.set(message.id, preview);
      if (finalStatuses.includes(message.status)) cache.set(`${companyId}/${message.id}`, preview);
    }
    return found;
  };
}
