/** The unsent text to a phone number. */
export interface Draft {
  readonly text: string;
  /** The business number to send from, once it is decided; empty before. */
  readonly from: string;
  /** The last send whose result is not known. */
  readonly attempt?: Attempt | undefined;
}

/** A send, under its idempotency key: the same send with the same key sends nothing twice. */
interface Attempt {
  readonly key: string;
  readonly text: string;
  readonly from: string;
}

export const EMPTY_DRAFT: Draft = { text: '', from: '' };

/** The attempt for a send: the last one again if it is the same send. */
export function attemptOf(draft: Draft, from: string, newKey: () => string): Attempt {
  const { attempt, text } = draft;
  return attempt?.text === text && attempt.from === from ? attempt : { key: newKey(), text, from };
}

/** After a text has arrived at the server: what was typed meanwhile stays. */
export function afterSending(draft: Draft, sentText: string): Draft {
  return draft.text === sentText ? { ...EMPTY_DRAFT, from: draft.from } : { ...draft, attempt: undefined };
}

/** An invalid stored value is treated as an empty draft. */
export function parseDraft(stored: string | null): Draft {
  try {
    const { text, from, attempt } = JSON.parse(stored ?? '{}') as Record<string, unknown>;
    return {
      text: typeof text === 'string' ? text : '',
      from: typeof from === 'string' ? from : '',
      attempt: isAttempt(attempt) ? attempt : undefined,
    };
  } catch {
    return EMPTY_DRAFT;
  }
}

function isAttempt(value: unknown): value is Attempt {
  const { key, text, from } = (value ?? {}) as Record<string, unknown>;
  return [key, text, from].every((part) => typeof part === 'string');
}

/** A text with a snippet in place of what is selected. */
export function insertAt(text: string, inserted: string, start: number, end: number): { text: string; caret: number } {
  return { text: text.slice(0, start) + inserted + text.slice(end), caret: start + inserted.length };
}
