import { type Aggregates, type DocumentFilter, openAggregates, type Relay } from '@parley/aggregates';
import type { Clock } from '@parley/clock';
import { refusal } from '@parley/errors';
import type { Encryptor } from '@parley/secrets';
import type { Db } from 'mongodb';
import {
  type Message,
  type MessageCommand,
  type MessageEvent,
  type MessageTimer,
  type OutboundMessage,
  textContext,
} from './message.ts';
import { encodeMessageEvent } from './message-proto.ts';
import { keyConflict } from './outbound-message.ts';

export interface Messages extends Aggregates<Message, MessageEvent, MessageCommand, MessageTimer> {
  /** The previews of the given messages that exist. */
  previews(companyId: string, ids: readonly string[]): Promise<Pick<Message, 'id' | 'encryptedText' | 'status'>[]>;
  /** Those of the given that are there. */
  byIds(companyId: string, ids: readonly string[]): Promise<Message[]>;
  /** The message with an attempt of this key. Keys are scoped to a business number. */
  byKey(companyId: string, businessNumberId: string, key: string): Promise<OutboundMessage | undefined>;
  /** The message with an attempt of this provider id, across companies: a report contains no company. */
  byProviderId(providerId: string): Promise<OutboundMessage | undefined>;
  /** Searches all companies, because the ids are the provider's own. */
  wasReceived(providerMessageId: string): Promise<boolean>;
  /** Messages from a number to a number that the provider may have accepted under an unknown id, oldest first. */
  unidentified(companyId: string, businessNumberId: string, to: string): Promise<OutboundMessage[]>;
  textOf(message: Pick<Message, 'id' | 'encryptedText'>): string;
}

/** In the order of storing, as a backfill reads them; backed by the index of the same fields. */
export const OLDEST_FIRST = { createdAtMicros: 1, id: 1 } as const;

/** Further open texts to one person are ignored: a report is then matched by a later repetition. */
const UNIDENTIFIED_MAX = 50;

/** Texts that are being sent or received, which change several times within seconds. */
const RECENT_MAX = 5000;

/**
 * One write removes the published events of a text and its command `show`, which ends later. Of what another replica adds to a text meanwhile, such as
 * its delivery report, the events wait for that.
 */
const REMOVAL_DELAY_MS = { min: 200, max: 350 };

/** Not sent as a response: the provider has repeated a callback, which is accepted. */
export const alreadyReceived = refusal('conflict', 'the text was received before');

export async function openMessages(options: {
  db: Db;
  relay: Relay;
  clock: Clock;
  encryptor: Encryptor;
}): Promise<Messages> {
  const { db, relay, clock, encryptor } = options;
  const textOf = ({ id, encryptedText }: Pick<Message, 'id' | 'encryptedText'>) =>
    encryptor.decrypt(encryptedText, textContext(id));
  const messages = await openAggregates<Message, MessageEvent, MessageCommand, MessageTimer>({
    db,
    collection: 'messages',
    recentMax: RECENT_MAX,
    removalDelayMs: REMOVAL_DELAY_MS,
    relay,
    clock,
    encode: encodeMessageEvent,
    indexes: [
      {
        name: 'number_key',
        key: { businessNumberId: 1, keys: 1 },
        unique: true,
        partialFilterExpression: { keys: { $exists: true } },
      },
      {
        name: 'received',
        key: { providerMessageId: 1 },
        unique: true,
        partialFilterExpression: { providerMessageId: { $exists: true } },
      },
      { name: 'provider_id', key: { 'attempts.providerId': 1 }, sparse: true },
      {
        name: 'unidentified',
        key: { businessNumberId: 1, to: 1, createdAtMicros: 1 },
        partialFilterExpression: { unidentified: true },
      },
      { name: 'person', key: { companyId: 1, externalNumber: 1, createdAtMicros: 1 } },
      { name: 'company_oldest', key: { companyId: 1, createdAtMicros: 1, _id: 1 } },
    ],
    collisions: { number_key: keyConflict, received: alreadyReceived },
  });
  return {
    ...messages,
    textOf,
    previews: async (companyId, ids) =>
      ids.length === 0
        ? []
        : messages
            .of(companyId)
            .findFields(['encryptedText', 'status'], { id: { $in: [...ids] } }, { id: 1 }, ids.length),
    async byIds(companyId, ids) {
      const found: Message[] = [];
      if (ids.length === 0) return found;
      for await (const message of messages.of(companyId).find({ id: { $in: [...new Set(ids)] } }, { id: 1 }))
        found.push(message);
      return found;
    },
    byKey: async (companyId, businessNumberId, key) =>
      outbound(await messages.of(companyId).findOne(outboundFilter({ businessNumberId, keys: key }))),
    byProviderId: async (providerId) =>
      outbound(await messages.acrossCompanies.findOne({ 'attempts.providerId': providerId })),
    wasReceived: async (providerMessageId) =>
      (await messages.acrossCompanies.findOne({ providerMessageId } as DocumentFilter<Message>)) !== undefined,
    async unidentified(companyId, businessNumberId, to) {
      const found: OutboundMessage[] = [];
      const open = outboundFilter({ businessNumberId, to, unidentified: true });
      for await (const message of messages.of(companyId).find(open, { createdAtMicros: 1 }, UNIDENTIFIED_MAX))
        if (message.direction === 'outbound') found.push(message);
      return found;
    },
  };
}

function outbound(message: Message | undefined): OutboundMessage | undefined {
  return message?.direction === 'outbound' ? message : undefined;
}

/** Fields that only outgoing messages have. */
function outboundFilter(filter: DocumentFilter<OutboundMessage>): DocumentFilter<Message> {
  return filter as DocumentFilter<Message>;
}
