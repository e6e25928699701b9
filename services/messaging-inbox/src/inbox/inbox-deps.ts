import type { Message, MessageStatus } from '@parley/proto/messaging_inbox/v1/messages_pb';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { MessageSchema } from '@parley/proto/messaging_inbox/v1/messages_pb';
import type { Cursors } from '@parley/store';
import type { ContactCopies } from '../contacts/contact-copy-store.ts';
import type { LiveUpdates } from '../live/live-updates.ts';
import type { InboxStore } from '../projection/inbox-store.ts';
import type { InboxProjection } from '../projection/projection-store.ts';

/** The fields of a company that the inbox needs. */
export interface InboxCompany {
  /** By whose numbering plan national numbers are read. */
  readonly country: string;
  readonly messagingEnabled: boolean;
}

/** The fields of a business number that the inbox needs. */
export interface InboxNumber {
  readonly id: string;
  readonly name: string;
  /** Whether texts can be sent from it now. */
  readonly canSend: boolean;
}

/** What the RPCs of the inbox work with. */
export interface InboxDeps {
  readonly store: InboxStore;
  readonly projection: InboxProjection;
  readonly contacts: ContactCopies;
  readonly cursors: Cursors;
  readonly live: LiveUpdates;
  readonly companyOf: (companyId: string) => Promise<InboxCompany>;
  /** The business numbers of the company: all, or those of the given that are there. */
  readonly numbersOf: (companyId: string, ids?: readonly string[]) => Promise<readonly InboxNumber[]>;
  /** Texts by their ids, as they are shown. `numbers`: those that they were sent from or to. */
  readonly messagesOf: (
    companyId: string,
    ids: readonly string[],
    numbers: readonly InboxNumber[],
  ) => Promise<ReadonlyMap<string, ShownMessage>>;
  /** What a thread shows of texts, by their ids. */
  readonly previewsOf: (companyId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, TextPreview>>;
  /** Microseconds since 1970. */
  readonly nowMicros: () => number;
}

/** What a thread shows of its latest text. */
export interface TextPreview {
  readonly text: string;
  readonly status: MessageStatus;
}

/** A text as it is shown; whether it was seen is the inbox's own. */
export type ShownMessage = MessageInitShape<typeof MessageSchema> & Pick<Message, 'id' | 'text'>;
