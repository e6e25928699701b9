import { createContextKey, type Context } from '@opentelemetry/api';
import { kindOf, type Refusal, type RefusalKind, Refused, refusalCodes } from '@parley/errors';
import { Metadata, type ServiceError, status } from '@grpc/grpc-js';

/** Names of what travels beside a request or answer. */
export const HEADER = {
  proof: 'parley-proof',
  requestId: 'parley-request-id',
  traceparent: 'traceparent',
  refusal: 'parley-refusal-bin',
} as const;

/** The one table from a refusal's kind to the status on the wire. */
const statusOfKind: Record<RefusalKind, status> = {
  malformed: status.OUT_OF_RANGE,
  unauthenticated: status.UNAUTHENTICATED,
  forbidden: status.PERMISSION_DENIED,
  missing: status.NOT_FOUND,
  conflict: status.FAILED_PRECONDITION,
  invalid: status.INVALID_ARGUMENT,
  exhausted: status.RESOURCE_EXHAUSTED,
  upstream_failed: status.INTERNAL,
  unreachable: status.UNAVAILABLE,
};

/** A service that did not answer in time, or at all. Whether the request had an effect is not known. */
export class Unavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Unavailable';
  }
}

/** What the server sends for a refusal. */
export function refusalStatus(refused: Refusal): Partial<ServiceError> {
  const metadata = new Metadata();
  metadata.set(HEADER.refusal, Buffer.from(JSON.stringify(refused)));
  return { code: statusOfKind[kindOf(refused.code)], details: refused.code, metadata };
}

/** What the client throws for a failed call. */
export function errorFrom(failure: ServiceError, method: string): Error {
  const [detail] = failure.metadata?.get(HEADER.refusal) ?? [];
  if (detail instanceof Buffer) {
    const parsed = JSON.parse(detail.toString()) as Refusal;
    if (parsed.code in refusalCodes) return new Refused(parsed);
  }
  if (failure.code === status.UNAVAILABLE || failure.code === status.DEADLINE_EXCEEDED) {
    return new Unavailable(`${method}: ${status[failure.code]}`, { cause: failure });
  }
  return new Error(`${method} failed: ${status[failure.code] ?? failure.code}`, { cause: failure });
}

/** What a request carries from service to service without being an argument. */
export interface Passage {
  /** Milliseconds since 1970 by the machine's clock, as gRPC counts deadlines. */
  readonly deadline: number;
  readonly requestId: string | undefined;
}

const PASSAGE = createContextKey('parley passage');

export function withPassage(context: Context, passage: Passage): Context {
  return context.setValue(PASSAGE, passage);
}

export function passageOf(context: Context): Passage | undefined {
  return context.getValue(PASSAGE) as Passage | undefined;
}
