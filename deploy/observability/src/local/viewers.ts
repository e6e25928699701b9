import { realpathSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type RunningProgram, runProgram } from './run-program.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../../../..');
/** Of OTLP over gRPC and HTTP at the viewer of traces, behind the collector's 4318. */
const TRACES_PORTS = { grpc: 4317, http: 4319 };
export const TRACES_URL = 'http://127.0.0.1:16686';
/** Where services send traces when there is no collector. */
export const TRACES_OTLP_URL = `http://127.0.0.1:${TRACES_PORTS.http}`;
export const COLLECTOR_URL = 'http://127.0.0.1:4318';
export const COLLECTOR_METRICS = '127.0.0.1:8889';
const GRAFANA_PORT = 3000;
export const GRAFANA_URL = `http://127.0.0.1:${GRAFANA_PORT}`;

/** Jaeger, with traces in memory. */
export async function startJaeger(file: string, dataDir: string): Promise<RunningProgram> {
  await mkdir(dataDir, { recursive: true });
  const [grpc, http] = [`127.0.0.1:${TRACES_PORTS.grpc}`, `127.0.0.1:${TRACES_PORTS.http}`];
  const args = path.basename(file).includes('all-in-one')
    ? [`--collector.otlp.grpc.host-port=${grpc}`, `--collector.otlp.http.host-port=${http}`]
    : [`--set=receivers.otlp.protocols.grpc.endpoint=${grpc}`, `--set=receivers.otlp.protocols.http.endpoint=${http}`];
  const logFile = path.join(dataDir, 'jaeger.log');
  return runProgram({ file, args, logFile, readyUrl: `${TRACES_URL}/api/services` });
}

/** The collector with our configuration. */
export async function startCollector(file: string, dataDir: string): Promise<RunningProgram> {
  await mkdir(dataDir, { recursive: true });
  return runProgram({
    file,
    args: ['--config', path.join(REPOSITORY, 'deploy/observability/collector.yaml')],
    env: {
      COLLECTOR_HOST: '127.0.0.1',
      TRACES_ENDPOINT: `127.0.0.1:${TRACES_PORTS.grpc}`,
      // Used only where the services send logs as well.
      LOGS_ENDPOINT: process.env.LOGS_ENDPOINT ?? 'http://127.0.0.1:3100/otlp',
    },
    logFile: path.join(dataDir, 'collector.log'),
    readyUrl: 'http://127.0.0.1:13133',
  });
}

/** Grafana with our dashboards, without a password on loopback. */
export async function startGrafana(file: string, dataDir: string, prometheusUrl: string): Promise<RunningProgram> {
  await mkdir(dataDir, { recursive: true });
  return runProgram({
    file,
    // Its pages are beside the program.
    args: ['server', '--homepath', path.resolve(realpathSync(file), '../..')],
    env: {
      GF_SERVER_HTTP_ADDR: '127.0.0.1',
      GF_SERVER_HTTP_PORT: String(GRAFANA_PORT),
      GF_AUTH_ANONYMOUS_ENABLED: 'true',
      GF_PATHS_DATA: dataDir,
      GF_PATHS_PROVISIONING: path.join(REPOSITORY, 'deploy/observability/grafana'),
      PROMETHEUS_URL: prometheusUrl,
      TRACES_URL,
      LOGS_URL: 'http://127.0.0.1:3100',
      GRAFANA_DASHBOARDS: path.join(REPOSITORY, 'helm/parley/files/dashboards'),
    },
    logFile: path.join(dataDir, 'grafana.log'),
    readyUrl: `${GRAFANA_URL}/api/health`,
  });
}
