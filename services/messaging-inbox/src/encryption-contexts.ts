import type { Document } from 'mongodb';
import { commentContext } from './comments/comment-store.ts';
import { textContext } from './messages/message.ts';
import { itemContext } from './projection/item-texts.ts';
import { PUSH_KEY_CONTEXT } from './push-subscriptions/push-key-store.ts';
import { targetContext } from './push-subscriptions/push-subscription-store.ts';

/** What the texts of a document, or of an object within it, may be encrypted for. Summaries of threads have items within them. */
export function encryptionContexts({ _id, id = _id, endpointDigest }: Document): string[] {
  const contexts = [textContext, itemContext, commentContext].map((contextOf) => contextOf(String(id)));
  return [...contexts, targetContext(String(endpointDigest)), PUSH_KEY_CONTEXT];
}
