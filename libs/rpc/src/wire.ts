import {
  create,
  type DescMethod,
  type DescService,
  fromBinary,
  type MessageInitShape,
  toBinary,
} from '@bufbuild/protobuf';
import { createContextKey, type Context } from '@opentelemetry/api';
import { kindOf, type Refusal, type RefusalKind, Refused, refusalCodes } from '@parley/errors';
import {
  logVerbosity,
  Metadata,
  type MethodDefinition,
  type ServiceError,
  setLogVerbosity,
  status,
  ChannelCredentials,
  ServerCredentials,
} from '@grpc/grpc-js';
import { readFileSync } from 'node:fs';

// grpc-js logs to stderr, not as JSON; the same errors are thrown by calls and `listen`.
setLogVerbosity(logVerbosity.NONE);

/** Names of metadata of requests and responses. */
export const HEADER = {
  proof: 'parley-proof',
  requestId: 'parley-request-id',
  traceparent: 'traceparent',
  actor: 'parley-actor-bin',
  refusal: 'parley-refusal-bin',
} as const;

/** HTTP/2 takes about 64 KiB of headers; these bytes are base64 encoded. */
const REFUSAL_BYTES_MAX = 40 * 1024;
const MESSAGE_LENGTH_MAX = 1000;

/** The one table from a refusal's kind to the status on the wire. */
const statusOfKind: Record<RefusalKind, status> = {
  malformed: status.INVALID_ARGUMENT,
  unauthenticated: status.UNAUTHENTICATED,
  forbidden: status.PERMISSION_DENIED,
  missing: status.NOT_FOUND,
  conflict: status.FAILED_PRECONDITION,
  invalid: status.INVALID_ARGUMENT,
  too_early: status.FAILED_PRECONDITION,
  exhausted: status.RESOURCE_EXHAUSTED,
  upstream_failed: status.INTERNAL,
  unreachable: status.UNAVAILABLE,
};

/** A server that is stopped by force cancels calls in progress. */
const unavailableStatuses = new Set([status.UNAVAILABLE, status.DEADLINE_EXCEEDED, status.CANCELLED]);

/** A service that did not answer in time, or at all. Whether the request had an effect is not known. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

export function refusalStatus(refused: Refusal): Partial<ServiceError> {
  const metadata = new Metadata();
  metadata.set(HEADER.refusal, refusalBytes(refused));
  return { code: statusOfKind[kindOf(refused.code)], details: refused.code, metadata };
}

/** A refusal that would not fit into the trailers, and so break the connection, arrives without its details. */
function refusalBytes({ code, message, ...details }: Refusal): Buffer {
  const whole = Buffer.from(JSON.stringify({ code, message, ...details }));
  if (whole.length <= REFUSAL_BYTES_MAX) return whole;
  return Buffer.from(JSON.stringify({ code, message: message.slice(0, MESSAGE_LENGTH_MAX) }));
}

export function errorFrom(failure: ServiceError, method: string): Error {
  const [detail] = failure.metadata?.get(HEADER.refusal) ?? [];
  const refusal = detail === undefined ? undefined : refusalFrom(detail.toString());
  if (refusal) return new Refused(refusal);
  if (unavailableStatuses.has(failure.code)) {
    return new Unavailable(`${method}: ${status[failure.code]}`, { cause: failure });
  }
  if (failure.code === status.UNAUTHENTICATED) {
    const why = 'the service does not accept our proof: clocks or keys differ';
    return new Unavailable(`${method}: ${why}`, { cause: failure });
  }
  return new Error(`${method} failed: ${status[failure.code] ?? failure.code}`, { cause: failure });
}

function refusalFrom(detail: string): Refusal | undefined {
  try {
    const parsed = JSON.parse(detail) as Refusal;
    return Object.hasOwn(refusalCodes, parsed.code) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** The values that are passed from service to service without being arguments. */
export interface RequestScope {
  /** Milliseconds since 1970 by the machine's clock, as gRPC counts deadlines. */
  readonly deadline: number;
  readonly requestId: string | undefined;
  /** The network address of the client at the gateway. */
  readonly address?: string | undefined;
}

const REQUEST_SCOPE = createContextKey('parley request scope');

/** The context in which calls carry this request scope; what it does not name stays as it was. */
export function withRequestScope(context: Context, scope: RequestScope): Context {
  return context.setValue(REQUEST_SCOPE, { ...requestScopeOf(context), ...scope });
}

export function requestScopeOf(context: Context): RequestScope | undefined {
  return context.getValue(REQUEST_SCOPE) as RequestScope | undefined;
}

/** A grpc-js method definition from a protobuf-es descriptor; what is sent is a complete message already. */
export function methodDefinition(service: DescService, method: DescMethod): MethodDefinition<any, any> {
  return {
    path: `/${service.typeName}/${method.name}`,
    requestStream: method.methodKind === 'bidi_streaming',
    responseStream: method.methodKind !== 'unary',
    requestSerialize: (request) => Buffer.from(toBinary(method.input, request)),
    requestDeserialize: (bytes) => fromBinary(method.input, bytes),
    // The server sends bytes: a response that cannot be encoded must fail where errors are mapped.
    responseSerialize: (bytes) => bytes,
    responseDeserialize: (bytes) => fromBinary(method.output, bytes),
  };
}

/** The bytes of what a handler wrote down; a handler may have encoded its response itself. */
export function responseBytes<Desc extends DescMethod['output']>(
  desc: Desc,
  init: MessageInitShape<Desc> | Uint8Array,
): Buffer {
  const bytes = init instanceof Uint8Array ? init : toBinary(desc, create(desc, init));
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Only what grpc-js is used for here; anything else in a contract is refused when the program starts. */
export function assertSupported(service: DescService): void {
  for (const method of service.methods) {
    if (method.methodKind === 'client_streaming')
      throw new Error(`${service.typeName}.${method.name}: ${method.methodKind} is not supported`);
  }
}

/** Files of a mutual-TLS set-up: own certificate and key, and the authority that both sides must be signed by. */
export interface TlsFiles {
  certFile: string;
  keyFile: string;
  caFile: string;
}

export function serverCredentials(tls: TlsFiles | undefined): ServerCredentials {
  if (!tls) return ServerCredentials.createInsecure();
  const pair = { cert_chain: readFileSync(tls.certFile), private_key: readFileSync(tls.keyFile) };
  return ServerCredentials.createSsl(readFileSync(tls.caFile), [pair], true);
}

export function channelCredentials(tls: TlsFiles | undefined): ChannelCredentials {
  if (!tls) return ChannelCredentials.createInsecure();
  return ChannelCredentials.createSsl(readFileSync(tls.caFile), readFileSync(tls.keyFile), readFileSync(tls.certFile));
}
