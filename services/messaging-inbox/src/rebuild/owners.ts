import { CallBackfillService } from '@parley/proto/call_control/v1/backfill_pb';
import { ContactLookupService } from '@parley/proto/directory/v1/contact_lookup_pb';
import type { Channel } from '@parley/rpc';
import { type ContactCopy, contactFromProto } from '../contacts/contact-copy.ts';
import type { ItemFact } from '../projection/inbox-item.ts';
import { callFact, messageFact, voicemailFact } from '../projection/item-facts.ts';
import type { SpokenContent } from '../followers/spoken-content.ts';
import type { ItemTexts } from '../projection/item-texts.ts';
import type { Message } from '../messages/message.ts';
import { type Messages, OLDEST_FIRST } from '../messages/message-store.ts';
import { PAGE, pages } from './pages.ts';

/** Reads a company's contacts, calls, voicemails and texts from their owners, in pages. */
export interface Owners {
  contacts(companyId: string): AsyncIterable<readonly Omit<ContactCopy, 'searchTerms'>[]>;
  calls(companyId: string): AsyncIterable<readonly ItemFact[]>;
  voicemails(companyId: string): AsyncIterable<readonly ItemFact[]>;
  messages(companyId: string): AsyncIterable<readonly ItemFact[]>;
}

/** A million calls take hours beside requests, for which a rebuild pauses. */
const timeoutMs = 12 * 3_600_000;
/** The sequence of a fact that was read by a backfill. */
const NO_SEQUENCE = 0;

export function openOwners(deps: {
  directory: Channel;
  callControl: Channel;
  messages: Messages;
  texts: ItemTexts;
  spoken: Pick<SpokenContent, 'sessionsOf'>;
}): Owners {
  const contacts = deps.directory.client(ContactLookupService);
  const calls = deps.callControl.client(CallBackfillService);
  return {
    async *contacts(companyId) {
      for await (const part of contacts.listContactsForBackfill({ companyId, after: '' }, { timeoutMs }))
        yield part.contacts.flatMap(({ contact }) => (contact ? [contactFromProto(contact, companyId)] : []));
    },
    async *calls(companyId) {
      for await (const part of calls.listCallsForBackfill({ companyId }, { timeoutMs })) {
        const assisted = part.calls.filter(({ assistant }) => assistant?.sessionStored).map(({ id }) => id);
        const sessions = await deps.spoken.sessionsOf(companyId, assisted);
        yield part.calls.flatMap(
          (call) => callFact(call, NO_SEQUENCE, deps.texts, sessions.get(call.id)?.message?.text) ?? [],
        );
      }
    },
    async *voicemails(companyId) {
      for await (const part of calls.listVoicemailsForBackfill({ companyId }, { timeoutMs }))
        yield part.voicemails.flatMap((voicemail) => voicemailFact(voicemail, NO_SEQUENCE, deps.texts) ?? []);
    },
    async *messages(companyId) {
      const own = deps.messages.of(companyId);
      const after = ({ createdAtMicros, id }: Message) => ({
        createdAtMicros: { $gte: createdAtMicros },
        $or: [{ createdAtMicros: { $gt: createdAtMicros } }, { id: { $gt: id } }],
      });
      const read = pages<Message>((last) => own.find(last ? after(last) : {}, OLDEST_FIRST, PAGE));
      for await (const page of read) yield page.map(messageFact);
    },
  };
}
