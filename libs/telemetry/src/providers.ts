import { randomUUID } from 'node:crypto';
import { context, createNoopMeter, type Logger, type Meter, type Tracer } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
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
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

export interface ProviderOptions {
  service: string;
  version: string;
  /** Base address of an OTLP/HTTP collector; without one nothing is recorded, but trace ids still run through the logs. */
  otlpEndpoint?: string | undefined;
  /** Share of new traces that are recorded, 0 to 1; a caller's decision is kept. */
  sampleRatio?: number;
  metricIntervalMs?: number;
  /** False: log lines are only written, not sent to the collector. */
  exportLogs?: boolean;
  /** Metrics can be read in Prometheus's format, with or without a collector. */
  metricsPage?: boolean;
  /** Takes the place of the OTLP exporter and is handed each span as it ends; for tests. */
  spanExporter?: SpanExporter;
}

/** The tracer, the meter and the exported log of one service. */
export interface Providers {
  readonly tracer: Tracer;
  readonly meter: Meter;
  /** Undefined where log lines are only written. */
  readonly logger: Logger | undefined;
  shutdown(): Promise<unknown>;
}

/** Makes the providers from what `providerParts` decided. */
export type OpenProviders = (parts: ProviderParts) => Providers;

type ProviderParts = ReturnType<typeof providerParts>;

/** The instrumentation scope of every span and metric. */
export const SCOPE = 'parley';

/** The SDK's own buckets are made for milliseconds: every duration in seconds would be in the first. */
const histogramsInSeconds: ViewOptions = {
  instrumentType: InstrumentType.HISTOGRAM,
  instrumentUnit: 's',
  aggregation: {
    type: AggregationType.EXPLICIT_BUCKET_HISTOGRAM,
    options: { boundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] },
  },
};

/** Decides resource, sampling and exporters, the same for every way to open the providers. */
export function providerParts(options: ProviderOptions) {
  const { otlpEndpoint, metricIntervalMs = 15_000, exportLogs = true } = options;
  const spanProcessors = spanProcessorsFor(options);
  const metricsPage = options.metricsPage
    ? new PrometheusExporter({ preventServerStart: true, withoutScopeInfo: true })
    : undefined;
  return {
    resource: resourceFromAttributes({
      'service.name': options.service,
      'service.version': options.version,
      'service.namespace': 'parley',
      // Distinguishes replicas; without it a collector merges their metrics.
      'service.instance.id': randomUUID(),
    }),
    sampler:
      spanProcessors.length > 0
        ? new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.sampleRatio ?? 1) })
        : new AlwaysOffSampler(),
    spanProcessors,
    views: [histogramsInSeconds],
    metricsPage,
    metricReaders: [
      ...(metricsPage ? [metricsPage] : []),
      ...(otlpEndpoint
        ? [
            new PeriodicExportingMetricReader({
              exporter: new OTLPMetricExporter({ url: otlpUrl(otlpEndpoint, 'metrics') }),
              exportIntervalMillis: metricIntervalMs,
              exportTimeoutMillis: Math.min(metricIntervalMs, 10_000),
            }),
          ]
        : []),
    ],
    logRecordProcessors:
      otlpEndpoint && exportLogs
        ? [
            new BatchLogRecordProcessor({
              exporter: new OTLPLogExporter({ url: otlpUrl(otlpEndpoint, 'logs') }),
              scheduledDelayMillis: 1000,
            }),
          ]
        : [],
  };
}

/** Used by a process with several services: nothing is global but the context manager. */
export const openProviders: OpenProviders = (parts) => {
  const { resource, sampler, spanProcessors, views, metricReaders, logRecordProcessors } = parts;
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const tracers = new TracerProvider({ resource, sampler, spanProcessors });
  // Without a reader, recording a value would cost as much for nothing.
  const meters = metricReaders.length > 0 ? new MeterProvider({ resource, views, readers: metricReaders }) : undefined;
  const loggers =
    logRecordProcessors.length > 0 ? new LoggerProvider({ resource, processors: logRecordProcessors }) : undefined;
  return {
    tracer: tracers.getTracer(SCOPE),
    meter: meters?.getMeter(SCOPE) ?? createNoopMeter(),
    logger: loggers?.getLogger(SCOPE),
    shutdown: () => Promise.allSettled([tracers.shutdown(), meters?.shutdown(), loggers?.shutdown()]),
  };
};

function spanProcessorsFor({ spanExporter, otlpEndpoint }: ProviderOptions) {
  if (spanExporter) return [new SimpleSpanProcessor({ exporter: spanExporter })];
  if (otlpEndpoint === undefined) return [];
  const exporter = new OTLPTraceExporter({ url: otlpUrl(otlpEndpoint, 'traces') });
  return [new BatchSpanProcessor({ exporter, scheduledDelayMillis: 1000 })];
}

function otlpUrl(endpoint: string, signal: 'traces' | 'metrics' | 'logs'): string {
  return `${endpoint.replace(/\/+$/, '')}/v1/${signal}`;
}
