import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  type Attributes,
  type Context,
  context,
  type Meter,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationType,
  InstrumentType,
  MeterProvider,
  PeriodicExportingMetricReader,
  type ViewOptions,
} from '@opentelemetry/sdk-metrics';
import {
  AlwaysOffSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  SimpleSpanProcessor,
  type SpanExporter,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { DestinationStream } from 'pino';
import { createLog, type Logger } from './log.ts';

/** What telemetry of a service is started with. */
export interface TelemetryOptions {
  service: string;
  version: string;
  logLevel: string;
  logDestination?: DestinationStream;
  /** Base address of an OTLP/HTTP collector; without one nothing is recorded, but trace ids still run through the logs. */
  otlpEndpoint?: string | undefined;
  /** Share of new traces that are recorded, 0 to 1; a caller's decision is kept. */
  sampleRatio?: number;
  metricIntervalMs?: number;
  /** Takes the place of the OTLP exporter and is handed each span as it ends; for tests. */
  spanExporter?: SpanExporter;
}

/** What a span may be given beside its name. */
export interface SpanOptions {
  kind?: SpanKind;
  /** Where the span belongs when it is not the current context, such as a trace that arrived with an event. */
  parent?: Context;
  attributes?: Attributes;
}

/**
 * Traces, metrics and logs of ONE service. Nothing is global but the context manager, so that several services can
 * share a process and still appear under their own names.
 */
export interface Telemetry {
  readonly log: Logger;
  readonly meter: Meter;
  /** Whether spans are kept; work that only describes spans can be skipped when not. */
  readonly recording: boolean;
  /** Runs `work` inside a span that ends with it and takes note of what it throws. */
  span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
  /** For edges that begin and end in different callbacks. */
  readonly tracer: Tracer;
  /** Exports the remaining data within two seconds: an unreachable collector must not delay the stop. */
  stop(): Promise<void>;
}

const STOP_LIMIT_MS = 2000;

/** The SDK's own buckets are made for milliseconds: every duration in seconds would be in the first. */
const histogramsInSeconds: ViewOptions = {
  instrumentType: InstrumentType.HISTOGRAM,
  instrumentUnit: 's',
  aggregation: {
    type: AggregationType.EXPLICIT_BUCKET_HISTOGRAM,
    options: { boundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] },
  },
};

/** Starts traces, metrics and logs of one service. */
export function startTelemetry(options: TelemetryOptions): Telemetry {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const resource = resourceFromAttributes({
    'service.name': options.service,
    'service.version': options.version,
    'service.namespace': 'parley',
    // Distinguishes replicas; without it a collector merges their metrics.
    'service.instance.id': randomUUID(),
  });
  const spanProcessor = processorFor(options);
  const tracers = new TracerProvider({
    resource,
    sampler: spanProcessor
      ? new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.sampleRatio ?? 1) })
      : new AlwaysOffSampler(),
    spanProcessors: spanProcessor ? [spanProcessor] : [],
  });
  const meters = new MeterProvider({
    resource,
    views: [histogramsInSeconds],
    readers: options.otlpEndpoint
      ? [
          new PeriodicExportingMetricReader({
            exporter: new OTLPMetricExporter({ url: otlpUrl(options.otlpEndpoint, 'metrics') }),
            exportIntervalMillis: options.metricIntervalMs ?? 15_000,
            exportTimeoutMillis: Math.min(options.metricIntervalMs ?? 15_000, 10_000),
          }),
        ]
      : [],
  });
  const tracer = tracers.getTracer('parley');
  const log = createLog({
    service: options.service,
    level: options.logLevel,
    ...(options.logDestination && { destination: options.logDestination }),
  });
  return {
    log,
    meter: meters.getMeter('parley'),
    recording: spanProcessor !== undefined,
    tracer,
    span: (name, spanOptions, work) => inSpan(tracer, name, spanOptions, work),
    async stop() {
      const late = AbortSignal.timeout(STOP_LIMIT_MS);
      await Promise.race([Promise.allSettled([tracers.shutdown(), meters.shutdown()]), once(late, 'abort')]);
      await new Promise<void>((resolve) => log.flush(() => resolve()));
    },
  };
}

function processorFor({ spanExporter, otlpEndpoint }: TelemetryOptions): SpanProcessor | undefined {
  if (spanExporter) return new SimpleSpanProcessor({ exporter: spanExporter });
  if (otlpEndpoint === undefined) return undefined;
  const exporter = new OTLPTraceExporter({ url: otlpUrl(otlpEndpoint, 'traces') });
  return new BatchSpanProcessor({ exporter, scheduledDelayMillis: 1000 });
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

function otlpUrl(endpoint: string, signal: 'traces' | 'metrics'): string {
  return `${endpoint.replace(/\/+$/, '')}/v1/${signal}`;
}
