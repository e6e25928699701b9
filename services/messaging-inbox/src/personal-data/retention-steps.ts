import { decided } from '@parley/errors';
import type { RetentionStep } from '@parley/personal-data';
import type { Message } from '../messages/message.ts';
import { type Messages, OLDEST_FIRST } from '../messages/message-store.ts';
import type { Texting } from '../start-texting.ts';
import { ALL_NUMBERS } from '../projection/inbox-item.ts';
import type { InboxParts } from '../start-inbox.ts';
import { removeEmptyThreads } from './remove-empty-threads.ts';

type RetentionDeps = InboxParts & Pick<Texting, 'messages' | 'search'>;

/** Texts or threads that one portion looks at. */
const PORTION = 100;

/**
 * Texts and comments that a company does not keep any longer; a text that is being sent is kept. Calls and voicemails leave the inbox by the
 * events of their owner.
 */
export function retentionSteps(deps: RetentionDeps): RetentionStep[] {
  const { messages, comments, store } = deps;
  return [
    {
      name: 'texts',
      async erase({ companyId, cutoffs: { messages: until } }, after) {
        if (!until) return { removed: 0 };
        const page = await oldestTexts(messages, companyId, until, after);
        const sent = page.filter(({ status }) => status !== 'queued');
        for (const [phone, texts] of Map.groupBy(sent, ({ externalNumber }) => externalNumber))
          await removeTexts(deps, companyId, phone, texts);
        const last = page.length < PORTION ? undefined : page.at(-1);
        return { removed: sent.length, next: last && `${last.createdAtMicros}:${last.id}` };
      },
    },
    {
      name: 'comments',
      async erase({ companyId, cutoffs: { messages: until } }) {
        const removed = until ? await comments.removeOldest(companyId, microsOf(until), PORTION) : 0;
        return { removed, next: removed < PORTION ? undefined : '' };
      },
    },
    {
      name: 'threads',
      async erase({ companyId }) {
        const empty = { scope: ALL_NUMBERS, 'withMessages.lastActivityAt': null };
        const found = await store.threads.of(companyId).findFields(['phone'], empty, { phone: -1 }, PORTION);
        let removed = 0;
        for (const { phone } of found) if (await removeEmptyThreads(deps, companyId, phone)) removed += 1;
        return { removed: 0, next: found.length === PORTION && removed > 0 ? '' : undefined };
      },
    },
  ];
}

/** The texts of a company that were stored until a time, behind a position, oldest first. */
function oldestTexts(messages: Messages, companyId: string, until: Date, after: string): Promise<Message[]> {
  const [micros = '', id = ''] = after.split(':');
  const createdAtMicros = { $lte: microsOf(until), ...(after !== '' && { $gte: Number(micros) }) };
  const behind = { $or: [{ createdAtMicros: { $gt: Number(micros) } }, { id: { $gt: id } }] };
  const filter = { createdAtMicros, ...(after !== '' && behind) };
  return Array.fromAsync(messages.of(companyId).find(filter, OLDEST_FIRST, PORTION));
}

/** The texts themselves go last: until then a repetition finds them. */
async function removeTexts(
  deps: RetentionDeps,
  companyId: string,
  phone: string,
  texts: readonly Message[],
): Promise<void> {
  const { store, projection, search } = deps;
  const scopes = [...new Set(texts.map(({ businessNumberId }) => businessNumberId)), ALL_NUMBERS];
  const change = await projection.expectChange(companyId, phone, scopes);
  for (const { id } of texts) await store.items.of(companyId).changeIfExists(id, () => decided(null));
  await projection.refresh(companyId, phone, scopes, { changes: [change] });
  await removeEmptyThreads(deps, companyId, phone);
  for (const { id } of texts) await search.removeMessage(companyId, id);
}

function microsOf(time: Date): number {
  return time.getTime() * 1000 + 999;
}
