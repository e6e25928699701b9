import {
  AuthenticationError,
  ConnectionError,
  CursorExpiredError,
  NotFoundError,
  ParleyError,
  PermissionError,
  RateLimitError,
} from '@parley/sdk';

/** What the end of a run says to programs. */
export const ExitCode = { ok: 0, refused: 1, usage: 2, notSignedIn: 3, unreachable: 4 } as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** A failure of the command line itself, with what to do about it. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;
  /** What to do. */
  readonly hint: string | undefined;

  constructor(exitCode: ExitCode, message: string, hint?: string) {
    super(message);
    this.exitCode = exitCode;
    this.hint = hint;
  }
}

export function wrongUsage(message: string, hint?: string): CommandError {
  return new CommandError(ExitCode.usage, message, hint);
}

/** A failure as it is shown. */
export interface Failure {
  readonly exitCode: ExitCode;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly code?: string | undefined;
  readonly status?: number | undefined;
  readonly fields?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly requestId?: string | undefined;
}

/** Of a message of a server. */
const MESSAGE_LENGTH_MAX = 500;

export function failureOf(error: unknown): Failure {
  if (error instanceof CommandError) {
    const { exitCode, message, hint } = error;
    return { exitCode, message, hint };
  }
  if (error instanceof ParleyError) {
    const { code, status, fields, requestId } = error;
    const message = error.message.slice(0, MESSAGE_LENGTH_MAX);
    return { exitCode: exitCodeOf(error), message, hint: hintFor(error), code, status, fields, requestId };
  }
  // The SDK refuses its options with a TypeError, such as an address that is none.
  if (error instanceof TypeError) return { exitCode: ExitCode.usage, message: error.message };
  return { exitCode: ExitCode.refused, message: error instanceof Error ? error.message : String(error) };
}

function exitCodeOf(error: ParleyError): ExitCode {
  if (error instanceof AuthenticationError) return ExitCode.notSignedIn;
  return error instanceof ConnectionError ? ExitCode.unreachable : ExitCode.refused;
}

function hintFor(error: ParleyError): string | undefined {
  if (error instanceof AuthenticationError)
    return 'Sign in with "parley login", or set PARLEY_API_KEY to a key that is valid.';
  if (error instanceof ConnectionError)
    return 'Is the address right and the service running? "parley whoami" shows the address; PARLEY_BASE_URL or "parley login --url" changes it.';
  if (error instanceof PermissionError)
    return 'Ask an admin of the company: events, webhooks and the audit log need the role admin.';
  if (error instanceof NotFoundError)
    return 'Check the id and the path: what belongs to another company is not found either.';
  if (error instanceof CursorExpiredError)
    return `Events are kept for 30 days. Go on with the oldest one that is there: ${error.oldestCursor ?? ''}`.trim();
  if (error.code === 'invalid_cursor') return 'The cursor is damaged, or of another company. Copy it as a whole.';
  if (error instanceof RateLimitError) return `Try again in ${error.retryAfterSecs ?? 'some'} seconds.`;
  if ((error.status ?? 0) >= 500) return 'Try again; if it stays, tell the operator the request id.';
  return undefined;
}

/** The lines of standard error. */
export function linesOf({ message, hint, fields = {}, requestId }: Failure): string[] {
  const problems = Object.entries(fields).map(([field, texts]) => `  ${field}: ${texts.join(', ')}`);
  const request = requestId === undefined ? [] : [`  request id: ${requestId}`];
  return [`parley: ${message}`, ...problems, ...request, ...(hint === undefined ? [] : [hint])];
}

/** For programs, with `--json`. */
export function failureJson({ exitCode, requestId, ...rest }: Failure): object {
  return { error: { ...rest, exit_code: exitCode, request_id: requestId } };
}
