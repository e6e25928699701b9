import { openDocuments } from '@parley/aggregates';
import { decided } from '@parley/errors';
import type { Db } from 'mongodb';
import { itemFromJson, type SessionItem, withoutContent, withoutTexts } from './session-item.ts';
import type { SessionSeals } from './session-content.ts';

/** The items of sessions, encrypted in the database. */
export type SessionItems = Awaited<ReturnType<typeof openSessionItems>>;

export interface NumberedItem {
  /** From 1 without gaps. */
  readonly sequence: number;
  readonly item: SessionItem;
}

interface StoredItem {
  /** Of session and sequence. */
  readonly id: string;
  readonly companyId: string;
  readonly sessionId: string;
  readonly sequence: number;
  /** The attempt that wrote it: a process that was frozen while another one took over changes nothing any more. */
  readonly attempt: number;
  readonly sealed: string;
}

export async function openSessionItems(db: Db, seals: SessionSeals) {
  const items = await openDocuments<StoredItem>({
    db,
    collection: 'session_items',
    indexes: [{ name: 'session', key: { companyId: 1, sessionId: 1, sequence: 1 } }],
  });
  const open = ({ sessionId, sequence, sealed }: StoredItem): NumberedItem => ({
    sequence,
    item: itemFromJson(seals.openItem(sessionId, sequence, sealed)),
  });

  /** Repeated, it changes nothing. */
  async function replaceAll(
    companyId: string,
    sessionId: string,
    replacement: (item: SessionItem) => SessionItem,
  ): Promise<void> {
    for await (const stored of items.of(companyId).find({ sessionId }, { sequence: 1 })) {
      const sealed = seals.sealItem(sessionId, stored.sequence, JSON.stringify(replacement(open(stored).item)));
      await items.of(companyId).changeIfExists(stored.id, (current) => decided({ ...current, sealed }));
    }
  }

  /** Removes the items behind a sequence. */
  async function removeAfter(companyId: string, sessionId: string, sequence: number): Promise<void> {
    for await (const { id } of items.of(companyId).find({ sessionId, sequence: { $gt: sequence } }, { sequence: 1 }))
      await items.of(companyId).changeIfExists(id, () => decided(null));
  }

  return {
    /** Adds an item, or replaces it; one of a later attempt stays. */
    async save(companyId: string, sessionId: string, attempt: number, { sequence, item }: NumberedItem): Promise<void> {
      const id = `${sessionId}/${sequence}`;
      const sealed = seals.sealItem(sessionId, sequence, JSON.stringify(item));
      const written: StoredItem = { id, companyId, sessionId, sequence, attempt, sealed };
      await items
        .of(companyId)
        .upsert(id, (current) => decided(current && current.attempt > attempt ? current : written));
    },
    /** In order, behind a sequence. */
    async list(companyId: string, sessionId: string, after: number, limit: number): Promise<NumberedItem[]> {
      const filter = { sessionId, sequence: { $gt: after } };
      const found = await Array.fromAsync(items.of(companyId).find(filter, { sequence: 1 }, limit));
      return found.map(open);
    },
    /** Removes what was said, and keeps what was done. */
    removeTexts: (companyId: string, sessionId: string) => replaceAll(companyId, sessionId, withoutTexts),
    /** Removes also what the caller wanted to be done, and keeps that it was. */
    removeContent: (companyId: string, sessionId: string) => replaceAll(companyId, sessionId, withoutContent),
    removeAll: (companyId: string, sessionId: string) => removeAfter(companyId, sessionId, 0),
    removeAfter,
  };
}
