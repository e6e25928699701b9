import type { Encryptor } from '@parley/secrets';
import type { StoredText } from './inbox-item.ts';

/** Transcriptions and summaries of calls and voicemails, which the inbox stores encrypted. */
export interface ItemTexts {
  /** The same text of an item is always stored in the same way, so that facts can be compared. */
  seal(itemId: string, text: string | undefined): StoredText | null;
  textOf(itemId: string, stored: StoredText | null): string | null;
}

export function itemTexts({ encryptRepeatably, decrypt }: Encryptor): ItemTexts {
  const contextOf = (itemId: string) => `inbox-item/${itemId}/text`;
  return {
    seal: (itemId, text) => (text === undefined ? null : { sealed: encryptRepeatably(text, contextOf(itemId)) }),
    textOf: (itemId, stored) => stored && decrypt(stored.sealed, contextOf(itemId)),
  };
}
