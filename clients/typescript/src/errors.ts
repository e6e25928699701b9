/** What is known about a failure. */
export interface ErrorDetails {
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly fields?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterSecs?: number | undefined;
  readonly body?: unknown;
  readonly headers?: Headers | undefined;
  readonly cause?: unknown;
}

/** Every failure of a request. */
export class ParleyError extends Error {
  override readonly name: string = 'ParleyError';
  /** The HTTP status; undefined when there was no response. */
  readonly status: number | undefined;
  /** A code of the API such as `employee_in_use`, or of OAuth such as `invalid_grant`. */
  readonly code: string | undefined;
  /** Problems by field, such as `{ phone: ['is not a phone number'] }`; empty except after a validation. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Names the request in the logs of the service. */
  readonly requestId: string | undefined;
  /** What the service said in `Retry-After`. */
  readonly retryAfterSecs: number | undefined;
  /** The body of the response: an object if it was JSON, otherwise text. */
  readonly body: unknown;
  /** Of the response, without secrets; undefined when there was none. */
  readonly headers: Headers | undefined;

  constructor(message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.status = details.status;
    this.code = details.code;
    this.fields = details.fields ?? {};
    this.requestId = details.requestId;
    this.retryAfterSecs = details.retryAfterSecs;
    this.body = details.body;
    this.headers = details.headers;
  }
}

/** 401: the key or token is missing, wrong, expired or revoked, or the grant has ended. */
export class AuthenticationError extends ParleyError {
  override readonly name = 'AuthenticationError';
}

/** 403: the employee's role, or the kind of credential, does not allow this. */
export class PermissionError extends ParleyError {
  override readonly name = 'PermissionError';
}

/** 404: unknown, or another company's. */
export class NotFoundError extends ParleyError {
  override readonly name = 'NotFoundError';
}

/** 409: the state of the resource does not allow this; `code` says why. */
export class ConflictError extends ParleyError {
  override readonly name = 'ConflictError';
}

/** 422: `fields` names the problems. */
export class ValidationError extends ParleyError {
  override readonly name = 'ValidationError';
}

/** 410 `cursor_expired`: events after the cursor are no longer kept. */
export class CursorExpiredError extends ParleyError {
  override readonly name = 'CursorExpiredError';
  /** Where to go on; what was before it is lost. */
  readonly oldestCursor: string | undefined;

  constructor(message: string, details: ErrorDetails & { readonly oldestCursor?: string | undefined } = {}) {
    super(message, details);
    this.oldestCursor = details.oldestCursor;
  }
}

/** 429: too many requests, after all retries. */
export class RateLimitError extends ParleyError {
  override readonly name = 'RateLimitError';
}

/** 5xx, or a response that the API never gives: no JSON, a redirect, or one that is too large. */
export class ServerError extends ParleyError {
  override readonly name = 'ServerError';
}

/** There was no response, or it broke off. */
export class ConnectionError extends ParleyError {
  override readonly name: string = 'ConnectionError';
}

/** The response did not arrive within `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

/** The error for a status and the body that came with it. */
export function errorOfResponse(
  status: number,
  body: unknown,
  { requestId, retryAfterSecs, headers }: Pick<ErrorDetails, 'requestId' | 'retryAfterSecs' | 'headers'> = {},
): ParleyError {
  const said = fieldsOf(body);
  const error = textOf(said['error']);
  const code = textOf(said['code']) ?? (error !== undefined && /^[a-z][a-z0-9_]*$/.test(error) ? error : undefined);
  const message = textOf(said['error_description']) ?? error ?? `the service responded with ${status}`;
  const details = {
    status,
    code,
    fields: problemsOf(said['errors']),
    requestId: requestId ?? textOf(said['request_id']),
    retryAfterSecs,
    headers,
    body,
  };
  if (code === 'cursor_expired')
    return new CursorExpiredError(message, { ...details, oldestCursor: textOf(said['oldest_cursor']) });
  return new (classOf(status, code))(message, details);
}

function classOf(status: number, code: string | undefined): typeof ParleyError {
  if (status === 401 || code === 'invalid_grant') return AuthenticationError;
  if (status === 403) return PermissionError;
  if (status === 404) return NotFoundError;
  if (status === 409) return ConflictError;
  if (status === 422) return ValidationError;
  if (status === 429) return RateLimitError;
  return status >= 500 ? ServerError : ParleyError;
}

function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function problemsOf(errors: unknown): Record<string, string[]> {
  const lists = Object.entries(fieldsOf(errors)).filter(([, problems]) => Array.isArray(problems));
  return Object.fromEntries(lists.map(([field, problems]) => [field, (problems as unknown[]).map(String)]));
}
