/** Why there was no answer. */
export type EgressReason = 'refused_address' | 'dns' | 'connect' | 'tls' | 'timeout' | 'protocol' | 'aborted';

/**
 * A request without a response. `message` can be shown to the owner of the address: it never contains a resolved address
 * or a library's message; those are in `cause`.
 */
export class EgressError extends Error {
  readonly reason: EgressReason;

  constructor(reason: EgressReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'EgressError';
    this.reason = reason;
  }
}

/** The answer to every address that is not public; the violated rule is not revealed. */
export function refusedAddress(): EgressError {
  return new EgressError('refused_address', 'the address is not a public one');
}

/** Errors before there was a connection. */
export function connectError(cause: Error & { code?: string }, secure: boolean): EgressError {
  if (cause instanceof EgressError) return cause;
  switch (cause.code) {
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return new EgressError('timeout', 'no connection within the time limit', cause);
    case 'ECONNREFUSED':
      return new EgressError('connect', 'the connection was refused', cause);
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
    case 'EACCES':
    case 'EPERM':
      return new EgressError('connect', 'the host cannot be reached', cause);
    case 'ECONNRESET':
    case 'EPIPE':
      return new EgressError('connect', 'the connection was closed while it was being opened', cause);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_FAIL':
      return new EgressError('dns', 'the host name does not resolve', cause);
    default:
      return secure
        ? new EgressError('tls', 'no trusted TLS connection could be made', cause)
        : new EgressError('connect', 'the connection failed', cause);
  }
}

/** Errors on an open connection. */
export function exchangeError(cause: Error & { code?: string }): EgressError {
  if (cause instanceof EgressError) return cause;
  switch (cause.code) {
    case 'UND_ERR_DESTROYED':
    case 'UND_ERR_CLOSED':
      return new EgressError('aborted', 'the request was given up', cause);
    case 'UND_ERR_HEADERS_OVERFLOW':
      return new EgressError('protocol', 'the answer has too many headers', cause);
    case 'UND_ERR_SOCKET':
    case 'ECONNRESET':
    case 'EPIPE':
      return new EgressError('protocol', 'the connection was closed without an answer', cause);
    default:
      return new EgressError('protocol', 'the answer is not valid HTTP', cause);
  }
}
