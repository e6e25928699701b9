import type { Message } from '@parley/proto/messaging_inbox/v1/messages_pb';
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
  /** Every business number of the company. */
  readonly numbersOf: (companyId: string) => Promise<readonly InboxNumber[]>;
  /** Texts by their ids, with their bodies. */
  readonly messagesOf: (companyId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, ShownMessage>>;
  /** Microseconds since 1970. */
  readonly nowMicros: () => number;
}

/** A text as it is shown; whether it was seen is the inbox's own. */
export type ShownMessage = MessageInitShape<typeof MessageSchema> & Pick<Message, 'id' | 'text'>;
