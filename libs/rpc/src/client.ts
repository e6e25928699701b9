import { once } from 'node:events';
import { context, SpanKind, SpanStatusCode, trace, type Span } from '@opentelemetry/api';
import {
  create,
  type DescMethod,
  type DescService,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import {
  Client,
  type ClientDuplexStream,
  type ClientReadableStream,
  type ClientUnaryCall,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { Health, HealthCheckResponse_ServingStatus as Serving } from '@parley/proto/grpc/health/v1/health_pb';
import { currentTraceparent, type Telemetry } from '@parley/telemetry';
import { type Principal, actorMetadata } from './principal.ts';
import { audienceOf, type Prover } from './proof.ts';
import { untilAborted } from './until-aborted.ts';
import {
  assertSupported,
  errorFrom,
  HEADER,
  methodDefinition,
  requestScopeOf,
  channelCredentials,
  type TlsFiles,
} from './wire.ts';

/** The timeout of a call when the current request has no deadline. */
const DEFAULT_TIMEOUT_MS = 10_000;

export interface RpcOptions {
  /** The principal; only the gateway may assert employees and the operator. Default: the service itself. */
  as?: Principal;
  /** On whose behalf a service acts for itself, to be recorded. Default: whose request it serves. */
  onBehalfOf?: Principal;
  timeoutMs?: number;
  requestId?: string;
  /** Cancels the call when it aborts; a handler passes its own signal on, so that work stops when the client has disconnected. */
  signal?: AbortSignal;
}

type ClientMethod<Method extends DescMethod> = (
  request: Method['methodKind'] extends 'bidi_streaming'
    ? AsyncIterable<MessageInitShape<Method['input']>>
    : MessageInitShape<Method['input']>,
  options?: RpcOptions,
) => Method['methodKind'] extends 'server_streaming' | 'bidi_streaming'
  ? AsyncIterable<MessageShape<Method['output']>>
  : Promise<MessageShape<Method['output']>>;

/** The methods of a contract, as functions. */
export type RpcClient<Desc extends DescService> = {
  [Name in keyof Desc['method']]: ClientMethod<Desc['method'][Name]>;
};

/** The unary methods of a contract, with the bytes of their responses. */
export type EncodedClient<Desc extends DescService> = {
  [Name in keyof Desc['method'] as Desc['method'][Name]['methodKind'] extends 'unary' ? Name : never]: (
    request: MessageInitShape<Desc['method'][Name]['input']>,
    options?: RpcOptions,
  ) => Promise<Uint8Array>;
};

/** A connection to another service, whatever contracts it serves. */
export type Channel = ReturnType<typeof connectRpc>;

/** The address of a channel and the identity of its client. */
export interface ChannelOptions {
  /** `dns:///host:port`, `host:port` or `unix:/path`. */
  address: string;
  telemetry: Telemetry;
  prover: Prover;
  tls?: TlsFiles | undefined;
}

/** What every call of a channel needs. */
interface Connection {
  readonly grpc: Client;
  readonly telemetry: Telemetry;
  readonly prover: Prover;
}

/** A connection to another service. Calls wait for it to come up, within their deadline. */
export function connectRpc({ address, telemetry, prover, tls }: ChannelOptions) {
  const grpc = new Client(address, channelCredentials(tls), {
    'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
    'grpc.max_receive_message_length': 8 << 20,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1000,
    // After a roll-out every replica has a new address; grpc-js would look it up again after half a minute.
    'grpc.dns_min_time_between_resolutions_ms': 2000,
    'grpc.keepalive_time_ms': 60_000,
  });
  const connection = { grpc, telemetry, prover };
  return {
    client<Desc extends DescService>(service: Desc): RpcClient<Desc> {
      assertSupported(service);
      const methods = service.methods.map((method) => [
        method.localName,
        method.methodKind === 'unary'
          ? unaryMethod(connection, service, method)
          : streamingMethod(connection, service, method),
      ]);
      return Object.fromEntries(methods);
    },
    /** For responses that need not be decoded as a whole; see `decodeList`. */
    encodedClient<Desc extends DescService>(service: Desc): EncodedClient<Desc> {
      assertSupported(service);
      const methods = service.methods
        .filter(({ methodKind }) => methodKind === 'unary')
        .map((method) => [method.localName, unaryMethod(connection, service, method, (bytes) => bytes)]);
      return Object.fromEntries(methods);
    },
    /** Resolves with true when the service reports within the timeout that it is ready. */
    healthy: (timeoutMs: number) => isHealthy(grpc, timeoutMs),
    close: () => grpc.close(),
  };
}

async function metadataFor({ prover }: Connection, options: RpcOptions, audience: string): Promise<Metadata> {
  const metadata = new Metadata({ waitForReady: true });
  const principal = options.as ?? prover.self;
  metadata.set(HEADER.proof, await prover.prove(principal, audience));
  const scope = requestScopeOf(context.active());
  const actor = actorMetadata(principal, scope, options.onBehalfOf);
  if (actor) metadata.set(HEADER.actor, actor);
  const requestId = options.requestId ?? scope?.requestId;
  if (requestId) metadata.set(HEADER.requestId, requestId);
  const traceparent = currentTraceparent();
  if (traceparent) metadata.set(HEADER.traceparent, traceparent);
  return metadata;
}

function unaryMethod(
  connection: Connection,
  service: DescService,
  method: DescMethod,
  decode?: (bytes: Buffer) => unknown,
) {
  const { path, requestSerialize, responseDeserialize } = methodDefinition(service, method);
  const name = `${service.typeName}/${method.name}`;
  return (request: any, options: RpcOptions = {}) =>
    connection.telemetry.span(name, { kind: SpanKind.CLIENT }, async () => {
      const metadata = await metadataFor(connection, options, audienceOf(service));
      let call: ClientUnaryCall | undefined;
      const answer = new Promise((resolve, reject) => {
        call = connection.grpc.makeUnaryRequest(
          path,
          requestSerialize,
          decode ?? responseDeserialize,
          create(method.input, request),
          metadata,
          { deadline: deadline(options) },
          (failure, response) => (failure ? reject(errorFrom(failure, name)) : resolve(response)),
        );
      });
      return unlessAborted(options.signal, () => call?.cancel(), answer);
    });
}

function streamingMethod(connection: Connection, service: DescService, method: DescMethod) {
  const { grpc, telemetry } = connection;
  const { path, requestSerialize, responseDeserialize } = methodDefinition(service, method);
  const name = `${service.typeName}/${method.name}`;

  return async function* (request: any, options: RpcOptions = {}) {
    const span = telemetry.tracer.startSpan(name, { kind: SpanKind.CLIENT });
    const over = new AbortController();
    let stream: ClientReadableStream<any> | ClientDuplexStream<any, any> | undefined;
    let failure: { readonly error: unknown } | undefined;
    const cancel = () => stream?.cancel();
    try {
      const metadata = await context.with(trace.setSpan(context.active(), span), () =>
        metadataFor(connection, options, audienceOf(service)),
      );
      const callOptions = { deadline: deadline(options) };
      if (method.methodKind === 'bidi_streaming') {
        const duplex = grpc.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, metadata, callOptions);
        stream = duplex;
        sendRequests(duplex, method, request, over.signal).catch((error: unknown) => {
          failure = { error };
          cancel();
        });
      } else {
        const message = create(method.input, request);
        stream = grpc.makeServerStreamRequest(
          path,
          requestSerialize,
          responseDeserialize,
          message,
          metadata,
          callOptions,
        );
      }
      stream.on('error', () => undefined); // a reader that has left the loop gets no error
      options.signal?.addEventListener('abort', cancel);
      if (options.signal?.aborted) cancel();
      for await (const message of stream) yield message;
    } catch (error) {
      throw failed(failure ? failure.error : error, name, span);
    } finally {
      over.abort();
      options.signal?.removeEventListener('abort', cancel);
      cancel();
      span.end();
    }
  };
}

/** Sends what `requests` brings, no faster than it is read, until the call is over. */
async function sendRequests(
  stream: ClientDuplexStream<any, any>,
  method: DescMethod,
  requests: AsyncIterable<any>,
  over: AbortSignal,
): Promise<void> {
  for await (const request of untilAborted(requests, over)) {
    if (!stream.write(create(method.input, request)))
      await once(stream, 'drain', { signal: over }).catch(() => undefined);
  }
  stream.end();
}

function isHealthy(grpc: Client, timeoutMs: number): Promise<boolean> {
  const { check } = Health.method;
  const { path, requestSerialize, responseDeserialize } = methodDefinition(Health, check);
  return new Promise((resolve) =>
    grpc.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      create(check.input, {}),
      new Metadata({ waitForReady: true }),
      { deadline: Date.now() + timeoutMs },
      (failure, response) => resolve(!failure && response?.status === Serving.SERVING),
    ),
  );
}

async function unlessAborted<T>(signal: AbortSignal | undefined, cancel: () => void, answer: Promise<T>): Promise<T> {
  if (!signal) return answer;
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  return answer.finally(() => signal.removeEventListener('abort', cancel));
}

function failed(error: unknown, name: string, span: Span): unknown {
  span.setStatus({ code: SpanStatusCode.ERROR });
  return (error as ServiceError)?.code in status ? errorFrom(error as ServiceError, name) : error;
}

/** The earlier of the deadline that came with the request being served and this call's own limit. */
function deadline(options: RpcOptions): number {
  const own = Date.now() + (options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  return Math.min(own, requestScopeOf(context.active())?.deadline ?? own);
}
