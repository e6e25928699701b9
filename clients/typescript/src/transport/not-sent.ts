/** What failures to connect are called in Node.js and Bun; nothing of the request has left the machine then. */
const CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
  'FailedToOpenSocket',
]);
/** Deno has no code for it. */
const DENO_CONNECT = /client error \(Connect\)/;
/** Of causes within causes. */
const DEPTH_MAX = 5;

/** Whether `fetch` failed before any byte of the request was sent. Browsers do not tell: there it is false. */
export function failedBeforeSending(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > DEPTH_MAX) return false;
  const { code, message, cause, errors } = error as Partial<Record<'code' | 'message' | 'cause' | 'errors', unknown>>;
  if (typeof code === 'string' && CODES.has(code)) return true;
  if (typeof message === 'string' && DENO_CONNECT.test(message)) return true;
  // A host with several addresses: every one of them was tried.
  if (Array.isArray(errors) && errors.length > 0) return errors.every((one) => failedBeforeSending(one, depth + 1));
  return failedBeforeSending(cause, depth + 1);
}
