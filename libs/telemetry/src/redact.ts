/** Keys whose values never reach a log line, whatever they hold. Compared in lower case without `_` and `-`. */
const SECRET_KEYS = new Set(
  [
    'apikey',
    'authorization',
    'body',
    'code',
    'codeverifier',
    'cookie',
    'email',
    'from',
    'greeting',
    'key',
    'message_text',
    'note',
    'otp',
    'password',
    'phone',
    'phonenumber',
    'prompt',
    'refreshtoken',
    'secret',
    'setcookie',
    'signature',
    'text',
    'to',
    'token',
    'accesstoken',
    'transcription',
    'summary',
    'welcome',
    'xapikey',
    'operatortoken',
  ].map((key) => key.replaceAll('_', '')),
);

/** Secrets and phone numbers inside free text: our own prefixes, bearer tokens, JWTs, passwords in addresses, E.164. */
const SECRET_TEXT =
  /\b(?:pk|whsec|at|rt|oc)_[A-Za-z0-9_+/=-]{16,}|\bBearer\s+[^\s"']+|\beyJ[\w-]+\.[\w-]+\.[\w-]+|(?<=:\/\/)[^/@\s]+(?=@)|\+\d{7,15}\b/g;

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
  if (value instanceof Date) return value.toISOString();
  if (depth >= DEPTH_MAX) return '[deep]';
  if (value instanceof Error) return redactError(value, depth);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, isSecretKey(key) ? REDACTED : redact(inner, depth + 1)]),
  );
}

function redactError(error: Error, depth: number): unknown {
  return {
    type: error.name,
    message: redactText(error.message),
    stack: error.stack && redactText(error.stack),
    ...(error.cause === undefined ? {} : { cause: redact(error.cause, depth + 1) }),
  };
}

function isSecretKey(key: string): boolean {
  return SECRET_KEYS.has(key.toLowerCase().replaceAll(/[_-]/g, ''));
}
