/**
 * `npm run observe`: the local stack as `npm start` runs it, with what shows its metrics and traces as far as the programs are on PATH.
 * Until Ctrl-C.
 */
import path from 'node:path';
import { readSettings, startStack, summary } from '@parley/local';
import { findProgram } from './local/find-program.ts';
import { startPrometheus } from './local/prometheus.ts';
import {
  COLLECTOR_METRICS,
  COLLECTOR_URL,
  GRAFANA_URL,
  startCollector,
  startGrafana,
  startJaeger,
  TRACES_OTLP_URL,
  TRACES_URL,
} from './local/viewers.ts';

const CHECKOUT = path.resolve(import.meta.dirname, '../../..');
/** The first port for metrics; OpenTelemetry's own for Prometheus. */
const METRICS_PORT = 9464;
const SCRAPE_SECS = 5;

const stopping = new AbortController();
const stopRequested = new Promise<void>((resolve) => {
  for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const)
    process.on(event, () => {
      stopping.abort();
      resolve();
    });
});

try {
  await using running = new AsyncDisposableStack();
  console.log(await start(running));
  await stopRequested;
  say('stopping …');
} catch (error) {
  if (!stopping.signal.aborted) {
    say((error as Error).message);
    process.exitCode = 1;
  }
}
process.exit();

/** Answers what there is to see. */
async function start(running: AsyncDisposableStack): Promise<string> {
  const settings = readSettings(process.env, CHECKOUT);
  const programs = {
    prometheus: findProgram('prometheus'),
    collector: findProgram('otelcol-contrib'),
    jaeger: findProgram('jaeger') ?? findProgram('jaeger-all-in-one'),
    grafana: findProgram('grafana'),
  };
  const folder = (name: string) => path.join(settings.dataDir, 'observe', name);
  const { prometheus, collector, jaeger, grafana } = programs;
  if (jaeger) keep(await startJaeger(jaeger, folder('jaeger')));
  // It has nothing to forward to without a viewer of traces.
  const usesCollector = collector !== undefined && jaeger !== undefined;
  if (usesCollector) keep(await startCollector(collector, folder('collector')));

  const stack = await startStack({
    ...settings,
    metricsPort: settings.metricsPort ?? METRICS_PORT,
    environment: { OTEL_LOGS_EXPORTER: 'none', ...telemetryOf(usesCollector, jaeger), ...process.env },
    progress: say,
    signal: stopping.signal,
  });
  keep(stack);

  const port = Number(process.env.PARLEY_PROMETHEUS_PORT || '9090');
  const metrics = prometheus
    ? keep(
        await startPrometheus({
          file: prometheus,
          dataDir: folder('prometheus'),
          port,
          services: stack.metrics,
          ...(usesCollector && { collector: COLLECTOR_METRICS }),
          intervalSecs: SCRAPE_SECS,
        }),
      )
    : undefined;
  const shown = metrics && grafana && keep(await startGrafana(grafana, folder('grafana'), metrics.url));
  const pages = Object.values(stack.metrics).map((address) => `http://${address}/metrics`);
  return [
    summary(stack),
    '',
    row('Metrics', `${pages[0]} to ${pages.at(-1)}`),
    row('Prometheus', metrics?.url ?? missing('prometheus', 'apt-get install prometheus')),
    row('Collector', usesCollector ? COLLECTOR_URL : missing('otelcol-contrib', 'used with a viewer of traces')),
    row('Traces', jaeger ? TRACES_URL : missing('jaeger or jaeger-all-in-one')),
    row('Dashboards', shown ? `${GRAFANA_URL}/dashboards` : missing('grafana', 'used with Prometheus')),
    row('Logs', path.join(stack.dataDir, 'logs')),
  ].join('\n');

  function keep<Part extends { stop(): Promise<void> }>(part: Part): Part {
    running.defer(() => part.stop());
    return part;
  }
}

function telemetryOf(usesCollector: boolean, jaeger: string | undefined): Record<string, string> {
  if (usesCollector) return { OTEL_EXPORTER_OTLP_ENDPOINT: COLLECTOR_URL };
  return jaeger ? { OTEL_EXPORTER_OTLP_ENDPOINT: TRACES_OTLP_URL } : {};
}

const row = (name: string, value: string) => `  ${name.padEnd(14)} ${value}`;

const missing = (program: string, hint?: string) => `not there: no ${program} on PATH${hint ? ` (${hint})` : ''}`;

/** Progress is written to standard error, so that standard output contains only the summary. */
function say(line: string): void {
  console.error(`parley: ${line}`);
}
