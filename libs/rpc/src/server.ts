import { type EventEmitter, once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { context, SpanKind, SpanStatusCode, trace, type Span } from '@opentelemetry/api';
import { runAs } from '@parley/actor';
import type { DescMethod, DescService, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { Refused } from '@parley/errors';
import { HealthCheckResponse_ServingStatus as Serving, Health } from '@parley/proto/grpc/health/v1/health_pb';
import { contextFrom, type Telemetry } from '@parley/telemetry';
import {
  type Metadata,
  Server,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceError,
  status,
  type UntypedHandleCall,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { type AccessRule, type Principal, actorOf } from './principal.ts';
import { audienceOf, type Verifier } from './proof.ts';
import { untilAborted } from './until-aborted.ts';
import {
  assertSupported,
  HEADER,
  methodDefinition,
  refusalStatus,
  responseBytes,
  Unavailable,
  withRequestScope,
  serverCredentials,
  type TlsFiles,
} from './wire.ts';

/** The context of a handler besides its request. */
export interface RpcContext<Allowed> {
  readonly principal: Allowed;
  readonly requestId: string | undefined;
  /** Aborted when the client has disconnected or the deadline has passed. */
  readonly signal: AbortSignal;
}

/** One RPC: a request or a stream of them in; a response or a stream of them out. Refuses by throwing `Refused`. */
export type Handler<Method extends DescMethod, Allowed> = (
  request: Method['methodKind'] extends 'bidi_streaming'
    ? AsyncIterable<MessageShape<Method['input']>>
    : MessageShape<Method['input']>,
  context: RpcContext<Allowed>,
) => Method['methodKind'] extends 'server_streaming' | 'bidi_streaming'
  ? AsyncIterable<MessageInitShape<Method['output']>>
  : Promise<MessageInitShape<Method['output']>>;

/** A unary RPC that encodes its responses itself; see `encodeList`. */
export type EncodedHandler<Method extends DescMethod, Allowed> = (
  request: MessageShape<Method['input']>,
  context: RpcContext<Allowed>,
) => Promise<Uint8Array>;

type ServedHandler<Method extends DescMethod, Allowed> = Method['methodKind'] extends 'unary'
  ? (...call: Parameters<EncodedHandler<Method, Allowed>>) => Promise<MessageInitShape<Method['output']> | Uint8Array>
  : Handler<Method, Allowed>;

/** A handler for every method of a service, so that a contract without code does not compile. */
export type Handlers<Desc extends DescService, Allowed> = {
  [Name in keyof Desc['method']]: ServedHandler<Desc['method'][Name], Allowed>;
};

/** One rule for all methods of a contract, or one for each. */
export type AccessRules<Desc extends DescService> =
  | AccessRule<unknown>
  | { readonly [Name in keyof Desc['method']]: AccessRule<unknown> };

/** The principals that the rules allow. */
export type AllowedBy<Rules> =
  Rules extends AccessRule<infer Allowed>
    ? Allowed
    : Rules[keyof Rules] extends AccessRule<infer Allowed>
      ? Allowed
      : never;

/** A gRPC server that authenticates its callers. */
export type RpcServer = ReturnType<typeof createRpcServer>;

export interface RpcServerOptions {
  telemetry: Telemetry;
  verify: Verifier;
  tls?: TlsFiles | undefined;
  /** The result of gRPC's own health check. */
  ready: () => Promise<boolean>;
  /** Whether an error means that the service's database did not answer: the request can be made again. */
  isUnreachable?(error: unknown): boolean;
}

/** The facts about a method that are known before a request arrives. */
interface ServedMethod {
  readonly name: string;
  readonly audience: string;
  readonly accessRule: AccessRule<unknown>;
}

type StreamingCall = ServerWritableStream<any, any> | ServerDuplexStream<any, any>;
/** What every kind of call has. */
type AnyCall = Pick<ServerUnaryCall<any, any>, 'metadata' | 'getDeadline'> & EventEmitter;
type AnyHandler = (request: unknown, context: RpcContext<unknown>) => unknown;
type Written = Record<string, unknown>;
type Serve = ReturnType<typeof callServer>;

/** A server that listens nowhere yet; contracts are added first. */
export function createRpcServer(options: RpcServerOptions) {
  const server = new Server({ 'grpc.max_receive_message_length': 8 << 20, 'grpc.keepalive_time_ms': 60_000 });
  const serve = callServer(options);
  addHealthService(server, options.ready);
  return {
    /** Serves a contract to the callers that the rules allow. */
    add<Desc extends DescService, const Rules extends AccessRules<Desc>>(
      service: Desc,
      accessRules: Rules,
      handlers: Handlers<Desc, AllowedBy<Rules>>,
    ): void {
      assertSupported(service);
      const definitions: Record<string, ReturnType<typeof methodDefinition>> = {};
      const implementation: UntypedServiceImplementation = {};
      for (const method of service.methods) {
        const served = servedMethod(service, method, accessRules);
        const handler = handlers[method.localName as keyof typeof handlers] as AnyHandler;
        definitions[method.localName] = methodDefinition(service, method);
        implementation[method.localName] =
          method.methodKind === 'unary'
            ? unaryCall(serve, served, method, handler)
            : streamingCall(serve, served, method, handler);
      }
      server.addService(definitions as any, implementation);
    },
    /** `host:port`, or `unix:/path`. Answers the port that was bound. */
    async listen(address: string): Promise<number> {
      await removeStaleSocket(address);
      const credentials = serverCredentials(options.tls);
      return new Promise((resolve, reject) =>
        server.bindAsync(address, credentials, (error, port) => (error ? reject(error) : resolve(port))),
      );
    },
    /** Stops accepting, finishes calls in progress, and cancels the rest after `limitMs`. */
    close: (limitMs: number) =>
      new Promise<void>((resolve) => {
        const cut = setTimeout(() => {
          server.forceShutdown();
          resolve();
        }, limitMs);
        server.tryShutdown(() => {
          clearTimeout(cut);
          resolve();
        });
      }),
  };
}

function addHealthService(server: Server, ready: RpcServerOptions['ready']): void {
  const { check } = Health.method;
  const respond = (_call: unknown, done: (failure: null, response: unknown) => void) => {
    const answer = (isReady: boolean) =>
      done(null, responseBytes(check.output, { status: isReady ? Serving.SERVING : Serving.NOT_SERVING }));
    void ready().then(answer, () => answer(false));
  };
  server.addService({ check: methodDefinition(Health, check) }, { check: respond });
}

function servedMethod(service: DescService, method: DescMethod, rules: AccessRules<DescService>): ServedMethod {
  const name = `${service.typeName}/${method.name}`;
  const accessRule = typeof rules === 'function' ? rules : rules[method.localName];
  if (typeof accessRule !== 'function') throw new Error(`${name} has no access rule`);
  return { name, audience: audienceOf(service), accessRule };
}

/** Returns everything around a handler: who calls, the trace, the deadline, the duration, the mapping of what it throws. */
function callServer({ telemetry, verify, isUnreachable = () => false }: RpcServerOptions) {
  const duration = telemetry.meter.createHistogram('parley_rpc_duration_seconds', { unit: 's' });
  return async (
    method: ServedMethod,
    call: AnyCall,
    work: (context: RpcContext<unknown>) => Promise<void>,
  ): Promise<Partial<ServiceError> | undefined> => {
    const { name } = method;
    const started = performance.now();
    const { metadata } = call;
    const parent = contextFrom(text(metadata, HEADER.traceparent));
    const span = telemetry.tracer.startSpan(name, { kind: SpanKind.SERVER }, parent);
    const requestId = text(metadata, HEADER.requestId);
    const scope = { deadline: Number(call.getDeadline()), requestId };
    const aborted = new AbortController();
    let isFinished = false;
    // grpc-js emits it for every call that ends, so also after the response.
    call.on('cancelled', () => {
      if (!isFinished) aborted.abort();
    });
    let failure: Partial<ServiceError> | undefined;
    await context.with(withRequestScope(trace.setSpan(parent, span), scope), async () => {
      try {
        const caller = await verifiedCaller(method, metadata, verify, telemetry);
        const [told] = metadata.get(HEADER.actor);
        const actor = actorOf(caller, typeof told === 'string' ? undefined : told, requestId);
        const principal = method.accessRule(caller);
        await runAs(actor, () => work({ principal, requestId, signal: aborted.signal }));
      } catch (error) {
        // A disconnected client gets no response, and work that was cancelled for it has not failed.
        if (aborted.signal.aborted) failure = { code: status.CANCELLED, details: 'cancelled' };
        else if (isUnreachable(error)) failure = unreachable(error, name, telemetry);
        else failure = failureOf(error, name, span, telemetry);
      }
    });
    isFinished = true;
    span.end();
    duration.record((performance.now() - started) / 1000, { method: name, status: status[failure?.code ?? status.OK] });
    return failure;
  };
}

async function verifiedCaller(
  { name, audience }: ServedMethod,
  metadata: Metadata,
  verify: Verifier,
  { log }: Telemetry,
): Promise<Principal> {
  try {
    return await verify(text(metadata, HEADER.proof) ?? '', audience);
  } catch (error) {
    log.warn({ err: error, rpc: name }, 'request without a valid proof of its principal');
    throw new InvalidProof();
  }
}

/** The fault of the calling service (its key, its clock), not of whoever made the request: it has no refusal that would reach them. */
class InvalidProof extends Error {
  override readonly name = 'InvalidProof';
}

function unaryCall(serve: Serve, served: ServedMethod, method: DescMethod, handler: AnyHandler): UntypedHandleCall {
  return (async (call: ServerUnaryCall<any, any>, done: (failure: unknown, response?: unknown) => void) => {
    let response: Buffer | undefined;
    const failure = await serve(served, call, async (about) => {
      response = responseBytes(method.output, (await handler(call.request, about)) as Written);
    });
    if (failure) done(failure);
    else done(null, response);
  }) as UntypedHandleCall;
}

function streamingCall(serve: Serve, served: ServedMethod, method: DescMethod, handler: AnyHandler): UntypedHandleCall {
  return (async (call: StreamingCall) => {
    const failure = await serve(served, call, async (about) => {
      const request = 'request' in call ? call.request : requestsOf(call, about.signal);
      const messages = handler(request, about) as AsyncIterable<Written>;
      for await (const message of untilAborted(messages, about.signal)) {
        if (!call.write(responseBytes(method.output, message))) await drained(call, about.signal);
      }
    });
    if (failure) call.emit('error', failure);
    else call.end();
  }) as UntypedHandleCall;
}

/** What the client sends; a handler that has read enough of it still responds. */
function requestsOf(call: ServerDuplexStream<any, any>, signal: AbortSignal): AsyncIterable<unknown> {
  return untilAborted(call.iterator({ destroyOnReturn: false }), signal);
}

/** Resolves when the stream accepts more, or when the client has disconnected. */
async function drained(call: StreamingCall, signal: AbortSignal): Promise<void> {
  await once(call, 'drain', { signal }).catch(() => undefined);
}

/** A refusal is sent to the caller; anything else is an internal error: logged once, here, and not shown. */
function unreachable(error: unknown, name: string, { log }: Telemetry): Partial<ServiceError> {
  log.warn({ err: error, rpc: name }, 'rpc failed because the database did not answer');
  return { code: status.UNAVAILABLE, details: 'unavailable' };
}

function failureOf(error: unknown, name: string, span: Span, telemetry: Telemetry): Partial<ServiceError> {
  if (error instanceof Refused) return refusalStatus(error.refusal);
  if (error instanceof InvalidProof) return { code: status.UNAUTHENTICATED, details: 'unauthenticated' };
  if (error instanceof Unavailable) return { code: status.UNAVAILABLE, details: 'unavailable' };
  span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
  telemetry.log.error({ err: error, rpc: name }, 'rpc failed');
  return { code: status.INTERNAL, details: 'internal_error' };
}

function text(metadata: Metadata, name: string): string | undefined {
  const [value] = metadata.get(name);
  return typeof value === 'string' ? value : undefined;
}

/** Removes the socket file of a server that was killed, if `address` names one: it would keep the next one from listening. */
async function removeStaleSocket(address: string): Promise<void> {
  const path = /^unix:(?:\/\/)?(\/.+)$/.exec(address)?.[1];
  if (path !== undefined && (await isDead(path))) await rm(path, { force: true });
}

function isDead(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });
}
