import { setTimeout as sleep } from 'node:timers/promises';
import { type OtlpReceiver, type ReceivedHistogram, startOtlpReceiver } from '../telemetry/otlp-receiver.ts';

/** Histograms that services report while a benchmark runs. */
export interface ReportedHistograms {
  /** Settings by which a service reports here. */
  readonly environment: Readonly<Record<string, string>>;
  /** The sum of all series that a service has reported of a metric, once no more arrive. */
  read(service: string, metric: string): Promise<ReceivedHistogram>;
  close(): void;
}

/** Each export counts what is pending in the database, so they are not too frequent. */
const EXPORT_MS = 2000;

export async function receiveHistograms(): Promise<ReportedHistograms> {
  const collector = await startOtlpReceiver();
  return {
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_METRIC_EXPORT_INTERVAL: String(EXPORT_MS),
      OTEL_TRACES_SAMPLER_ARG: '0',
    },
    async read(service, metric) {
      for (let last = -1; ; await sleep(EXPORT_MS * 1.5)) {
        const now = merged(collector, service, metric);
        if (sum(now.counts) === last) return now;
        last = sum(now.counts);
      }
    },
    close: () => collector.close(),
  };
}

function merged({ histograms }: OtlpReceiver, service: string, metric: string): ReceivedHistogram {
  const series = (histograms.get(service) ?? []).filter(({ name }) => name === metric);
  const [{ bounds } = { bounds: [] }] = series;
  const counts = Array.from({ length: bounds.length + 1 }, (_, index) =>
    sum(series.map((one) => one.counts[index] ?? 0)),
  );
  return { service, name: metric, bounds, counts };
}

/** `6000 events within p50 5 ms, p90 10 ms, p99 25 ms`: bounds of the histogram that so many did not exceed. */
export function describeEvents(before: ReceivedHistogram, after: ReceivedHistogram): string {
  const counts = after.counts.map((count, index) => count - (before.counts[index] ?? 0));
  const within = (share: number) => {
    let seen = 0;
    const index = counts.findIndex((count) => (seen += count) >= sum(counts) * share);
    return `${(after.bounds[index] ?? Infinity) * 1000} ms`;
  };
  return `${sum(counts)} events within p50 ${within(0.5)}, p90 ${within(0.9)}, p99 ${within(0.99)}`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
