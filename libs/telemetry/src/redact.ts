import { secretPrefixes } from '@parley/secrets';

/** Keys whose values never reach a log line, whatever they hold. Compared in lower case without `_` and `-`. */
const SECRET_KEYS = new Set([
  'authorization',
  'body',
  'code',
  'codeverifier',
  'from',
  'greeting',
  'key',
  'messagetext',
  'note',
  'otp',
  'phoneformatted',
  'prompt',
  'signingkey',
  'summary',
  'text',
  'to',
  'transcription',
  'welcome',
]);

/** Endings of such keys: `client_secret`, `newPassword`, `set-cookie`. */
const SECRET_KEY_ENDING = /(?:apikey|cookie|email|passwd|password|phone|phonenumber|secret|signature|token)$/;

/** Matches the beginning of a word, also right after an escaped line break, because JSON lines are searched too. */
const START = String.raw`(?:(?<![\w-])|(?<=\\[nrt]))`;

/** Secrets and personal data inside free text. None of them matches a quote or a backslash, so that JSON stays JSON. */
const SECRET_TEXT = new RegExp(
  [
    String.raw`${START}(?:${Object.values(secretPrefixes).join('|')})_[\w+/=-]{16,}`, // our own secrets
    String.raw`\b(?:[Bb]earer|Basic)\s+[^\s"'\\,;]{8,}`,
    String.raw`${START}eyJ[\w-]+\.[\w-]+\.[\w-]*`, // JWT
    String.raw`(?<=:\/\/)[^/\s"'\\]+(?=@)`, // user and password of an address
    String.raw`(?<=[?&](?:access_token|api_key|code|key|password|phone|refresh_token|secret|sig|signature|state|token)=)[^&#\s"'\\]+`,
    String.raw`(?:\+|%2[Bb])\d(?:[ ().-]{0,2}\d){6,14}`, // phone numbers, formatted or not
    String.raw`${START}[\w.+-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}`, // e-mail addresses
  ].join('|'),
  'g',
);

const DEPTH_MAX = 5;
const REDACTED = '[redacted]';

/** Replaces what must not be read in `text`. */
export function redactText(text: string): string {
  return text.replace(SECRET_TEXT, REDACTED);
}

/** A copy of `value` fit for a log line: secret keys and secret-looking text replaced, depth bounded. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Date) return value;
  if (depth >= DEPTH_MAX) return '[deep]';
  if (value instanceof Error) return redactError(value, depth);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, isSecretKey(key) ? REDACTED : redact(inner, depth + 1)]),
  );
}

/** Only `code` of an error's own fields is kept, because drivers attach complete requests to their errors. */
function redactError(error: Error, depth: number): unknown {
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: redactText(error.message),
    stack: error.stack && redactText(error.stack),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(error.cause === undefined ? {} : { cause: redact(error.cause, depth + 1) }),
    ...(error instanceof AggregateError && { errors: redact(error.errors, depth + 1) }),
  };
}

function isSecretKey(key: string): boolean {
  const plain = key.toLowerCase().replaceAll(/[_-]/g, '');
  return SECRET_KEYS.has(plain) || SECRET_KEY_ENDING.test(plain);
}
