import type { Encryptor } from '@parley/secrets';
import type { StoredText } from './inbox-item.ts';

export type ItemTexts = ReturnType<typeof itemTexts>;

export const itemContext = (itemId: string) => `inbox-item/${itemId}/text`;

/** Transcriptions and summaries of calls and voicemails, which the inbox stores encrypted. */
export function itemTexts({ encryptRepeatably, decrypt }: Encryptor) {
  return {
    /** The same text of an item is always stored in the same way, so that facts can be compared. */
    seal: (itemId: string, text: string | undefined): StoredText | null =>
      text === undefined ? null : { sealed: encryptRepeatably(text, itemContext(itemId)) },
    textOf: (itemId: string, stored: StoredText | null): string | null =>
      stored && decrypt(stored.sealed, itemContext(itemId)),
  };
}
