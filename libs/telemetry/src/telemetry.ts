import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Attributes,
  type Context,
  context,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
  isSpanContextValid,
  ROOT_CONTEXT,
  TraceFlags,
} from '@opentelemetry/api';
import type { DestinationStream } from 'pino';
import { exportLog } from './export-log.ts';
import { createLog, standardOutput } from './log.ts';
import { openProviders, type OpenProviders, type ProviderOptions, providerParts } from './providers.ts';

export interface TelemetryOptions extends ProviderOptions {
  logLevel: string;
  logDestination?: DestinationStream;
  /** By default the providers of this service alone, without those of the process. */
  open?: OpenProviders;
}

export interface SpanOptions {
  kind?: SpanKind;
  /** The parent when it is not the current context, such as a trace that arrived with an event. */
  parent?: Context;
  attributes?: Attributes;
}

/**
 * Traces, metrics and logs of ONE service. Several services can share a process and still
 * appear under their own names.
 */
export type Telemetry = ReturnType<typeof startTelemetry>;

const STOP_LIMIT_MS = 2000;

/** Starts traces, metrics and logs of one service. */
export function startTelemetry(options: TelemetryOptions) {
  const parts = providerParts(options);
  const { metricsPage } = parts;
  const { tracer, meter, logger, shutdown } = (options.open ?? openProviders)(parts);
  const written = options.logDestination ?? standardOutput();
  const log = createLog({
    service: options.service,
    level: options.logLevel,
    destination: logger ? exportLog(written, logger) : written,
  });
  return {
    log,
    meter,
    /** Responds with the metrics in Prometheus's format; undefined without `metricsPage`. */
    metricsPage:
      metricsPage &&
      ((request: IncomingMessage, response: ServerResponse) => metricsPage.getMetricsRequestHandler(request, response)),
    /** False when spans are dropped, so that describing them can be skipped. */
    recording: parts.spanProcessors.length > 0,
    /** For edges that begin and end in different callbacks. */
    tracer,
    /** Runs `work` inside a span that ends with it and takes note of what it throws. */
    span: <T>(name: string, spanOptions: SpanOptions, work: (span: Span) => Promise<T>) =>
      inSpan(tracer, name, spanOptions, work),
    /** Exports the remaining data within two seconds: an unreachable collector must not delay the stop. */
    async stop(): Promise<void> {
      const late = AbortSignal.timeout(STOP_LIMIT_MS);
      await Promise.race([shutdown(), once(late, 'abort')]);
      await new Promise<void>((resolve) => log.flush(() => resolve()));
    },
  };
}

async function inSpan<T>(
  tracer: Tracer,
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const parent = options.parent ?? context.active();
  const span = tracer.startSpan(
    name,
    { kind: options.kind ?? SpanKind.INTERNAL, ...(options.attributes && { attributes: options.attributes }) },
    parent,
  );
  try {
    return await context.with(trace.setSpan(parent, span), work, undefined, span);
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
    throw error;
  } finally {
    span.end();
  }
}

/** W3C trace context, version 00: `00-<trace id>-<span id>-<flags>`. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The current span as a header value; undefined outside of any trace. It is passed in gRPC metadata, event headers and stored work. */
export function currentTraceparent(): string | undefined {
  const span = trace.getSpanContext(context.active());
  if (!span || !isSpanContextValid(span)) return undefined;
  return `00-${span.traceId}-${span.spanId}-0${span.traceFlags & TraceFlags.SAMPLED}`;
}

/** The context to start a span in so that it continues the trace named by a header; anything malformed starts a new trace. */
export function contextFrom(traceparent: string | undefined): Context {
  const match = traceparent === undefined ? null : TRACEPARENT.exec(traceparent);
  if (!match) return ROOT_CONTEXT;
  const [, traceId = '', spanId = '', flags = '00'] = match;
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}
