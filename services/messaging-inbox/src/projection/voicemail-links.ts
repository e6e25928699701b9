import { decided } from '@parley/errors';
import { batch, batching } from '@parley/queues';
import { type InboxItem, replacedItem } from './inbox-item.ts';
import type { InboxStore } from './inbox-store.ts';
import { affectedParts, type SummaryParts } from './thread.ts';

const NOTHING: SummaryParts = { latest: false, unseen: false };

/** A voicemail is shown instead of its call, whichever of them is stored first. */
export function voicemailLinks({ items }: Pick<InboxStore, 'items'>) {
  /** Calls that are stored together are looked up together. */
  const voicemailsOf = batch(
    async (
      calls: readonly { readonly companyId: string; readonly callId: string }[],
    ): Promise<(InboxItem | undefined)[]> => {
      const found: InboxItem[] = [];
      for (const [companyId, own] of Map.groupBy(calls, (call) => call.companyId)) {
        const ids = [...new Set(own.map(({ callId }) => callId))];
        const ofCalls = { 'content.type': 'voicemail', 'content.callId': { $in: ids } };
        for await (const item of items.of(companyId).find(ofCalls, { 'content.callId': 1 })) found.push(item);
      }
      const byCall = new Map(
        found.flatMap((item) => (item.content.type === 'voicemail' ? [[item.content.callId, item]] : [])),
      );
      return calls.map(({ callId }) => byCall.get(callId));
    },
    batching.reads,
  );
  const voicemailOf = (companyId: string, callId: string) => voicemailsOf({ companyId, callId });

  async function replaceCall(companyId: string, callId: string, replacedAt: number | null): Promise<SummaryParts> {
    let affected = NOTHING;
    await items.of(companyId).changeIfExists(callId, (call) => {
      const replaced = replacedItem(call, replacedAt);
      affected = affectedParts(call, replaced);
      return decided(replaced);
    });
    return affected;
  }

  return {
    voicemailOf,
    replaceCall,
    /** Whichever of a call and its voicemail is stored last finds the other. Tells what that means for the threads. */
    async link({ companyId, id, content, storedAt }: InboxItem): Promise<SummaryParts> {
      if (content.type === 'voicemail') return replaceCall(companyId, content.callId, storedAt);
      const voicemail = content.type === 'call' ? await voicemailOf(companyId, id) : undefined;
      return voicemail ? replaceCall(companyId, id, voicemail.storedAt) : NOTHING;
    },
    /** Hides a call that has a voicemail, and shows one that has none. */
    async relink(companyId: string, callId: string): Promise<void> {
      const own = items.of(companyId);
      const call = await own.get(callId);
      if (!call) return;
      const voicemail = await voicemailOf(companyId, callId);
      // A voicemail that came or went meanwhile has linked the call itself.
      const replace = (current: InboxItem) =>
        decided(current.replacedAt === call.replacedAt ? replacedItem(current, voicemail?.storedAt ?? null) : current);
      await own.change(call.id, replace, call);
    },
  };
}
