import { type Refusal, refusal } from '@parley/errors';
import { characterCount, TEXT_LENGTH_MAX } from '../numbers/text-length.ts';

const KINDS = ['welcome', 'greeting', 'message', 'prompt'];

export const PREVIEW_LIFETIME_MS = 3600 * 1000;
/** Per company, in any rolling minute. */
export const PREVIEWS_PER_MINUTE = 30;
/** Per company. A preview of a text whose audio exists already costs none. */
export const PREVIEW_CHARACTERS_PER_MINUTE = 30_000;

/** Returns the problem of a request for a preview, kind before text; undefined when it is valid. */
export function previewRefusal(kind: string, text: string): Refusal | undefined {
  if (!KINDS.includes(kind)) return refusal('invalid_kind', `kind must be one of ${KINDS.join(', ')}`);
  if (text.trim() === '') return refusal('blank_text', 'text must not be blank');
  if (characterCount(text) <= TEXT_LENGTH_MAX) return undefined;
  const message = `is too long (maximum is ${TEXT_LENGTH_MAX} characters)`;
  return refusal('validation_failed', `text ${message}`, { fields: { text: [message] } });
}
