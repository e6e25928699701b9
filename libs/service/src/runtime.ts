import {
  type Clock,
  followTestClock,
  type MovableClock,
  movableClock,
  systemClock,
  trackBackgroundWork,
} from '@parley/clock';
import { type Broker, connectBroker, type Follower } from '@parley/events';
import { newId } from '@parley/secrets';
import {
  type Channel,
  connectRpc,
  createProver,
  createRpcServer,
  createVerifier,
  type Prover,
  type RpcServer,
  type TlsFiles,
} from '@parley/rpc';
import { connectMongo, isUnreachable } from '@parley/mongo';
import { counterFromZero, startTelemetry } from '@parley/telemetry';
import type { Db } from 'mongodb';
import type { z } from 'zod';
import {
  type baseSettings,
  ConfigError,
  type grpcServerSettings,
  type mongoSettings,
  type natsSettings,
  type rpcSettings,
} from './config.ts';
import { addDeadLetterService } from './dead-letter-service.ts';
import { serveHealth } from './health-server.ts';
import type { Lifecycle } from './lifecycle.ts';
import { serveMetrics } from './metrics-server.ts';
import { VERSION } from './version.ts';

type Settings<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

export type ServiceRuntime = Awaited<ReturnType<typeof openRuntime>>;

/** Telemetry first, so that it stops last; then the clock and the health page. */
export async function openRuntime(name: string, config: Settings<typeof baseSettings>, lifecycle: Lifecycle) {
  const useNodeSdk = lifecycle.ownsProcess && config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined;
  const telemetry = startTelemetry({
    ...(useNodeSdk && { open: (await import('@parley/telemetry/node-sdk')).openNodeSdk }),
    service: name,
    version: VERSION,
    logLevel: config.LOG_LEVEL,
    otlpEndpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    sampleRatio: config.OTEL_TRACES_SAMPLER_ARG,
    metricIntervalMs: config.OTEL_METRIC_EXPORT_INTERVAL,
    exportLogs: config.OTEL_LOGS_EXPORTER === 'otlp',
    metricsPage: config.METRICS_LISTEN !== undefined,
  });
  lifecycle.defer('telemetry', () => telemetry.stop());
  lifecycle.reportTo(telemetry.log, counterFromZero(telemetry.meter, 'parley_process_crashes_total'));
  lifecycle.drainFor(config.DRAIN_SECS * 1000);
  telemetry.log.info({ version: VERSION, node: process.version }, 'starting');
  if (config.HEALTH_LISTEN) await serveHealth(lifecycle, config.HEALTH_LISTEN);
  if (config.METRICS_LISTEN) await serveMetrics(lifecycle, telemetry, config.METRICS_LISTEN);
  return {
    name,
    lifecycle,
    telemetry,
    clock: (config.TEST_CLOCK === 'on' ? movableClock() : systemClock) as Clock | MovableClock,
    backgroundWork: trackBackgroundWork(),
    /** The followers of the service; the operator can list their dead letters. */
    followers: [] as Follower[],
  };
}

/** The service's own database. */
export async function openDatabase(
  { lifecycle, telemetry }: ServiceRuntime,
  config: Settings<typeof mongoSettings>,
): Promise<Db> {
  const mongo = await connectMongo({
    url: config.MONGODB_URL,
    database: config.MONGODB_DATABASE,
    telemetry,
    signal: lifecycle.stopping,
  });
  lifecycle.defer('mongodb', () => mongo.close());
  lifecycle.addCheck({ name: 'mongodb', check: () => mongo.ping() });
  return mongo.db;
}

/** The broker; also connects the test clock, if enabled. */
export async function openBroker(runtime: ServiceRuntime, config: Settings<typeof natsSettings>): Promise<Broker> {
  const { name, lifecycle, telemetry, clock, backgroundWork } = runtime;
  const broker = await connectBroker({
    url: config.NATS_URL,
    user: config.NATS_USER,
    password: config.NATS_PASSWORD,
    credsFile: config.NATS_CREDS_FILE,
    prefix: config.NATS_PREFIX,
    replicas: config.NATS_REPLICAS,
    name,
    log: telemetry.log,
  });
  lifecycle.defer('nats', () => broker.close());
  // Without the broker requests are still served: events wait in the outbox and followers catch up.
  lifecycle.addCheck({ name: 'nats', optional: true, check: () => broker.connected() });
  if ('setOffsetMs' in clock) {
    const following = await followTestClock({ broker, clock, backgroundWork, service: name, instance: newId('run') });
    lifecycle.defer('test clock', () => following.stop());
  }
  return broker;
}

/** Half a set of files must not mean no encryption at all. */
function tlsFiles(name: string, config: Settings<typeof rpcSettings>): TlsFiles | undefined {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, TLS_CA_FILE: caFile } = config;
  if (certFile && keyFile && caFile) return { certFile, keyFile, caFile };
  if (!certFile && !keyFile && !caFile) return undefined;
  throw new ConfigError(name, ['TLS_CERT_FILE, TLS_KEY_FILE and TLS_CA_FILE: must be set together']);
}

/** Makes connections to other services. */
export function openPeers(
  { name, lifecycle, telemetry }: ServiceRuntime,
  config: Settings<typeof rpcSettings>,
): { connect(address: string): Channel; prover: Prover } {
  const prover = createProver(name, config.SIGNING_KEY);
  const tls = tlsFiles(name, config);
  return {
    prover,
    connect(address) {
      const channel = connectRpc({ address, telemetry, prover, tls });
      lifecycle.defer(`channel to ${address}`, () => channel.close());
      return channel;
    },
  };
}

/** The limit for RPCs in flight when the server closes. */
const GRPC_CLOSE_LIMIT_MS = 8000;

/** Serves gRPC once every contract has been added; not ready before; finishes calls in progress when it stops. */
export async function serveGrpc(
  { name, lifecycle, telemetry, followers }: ServiceRuntime,
  config: Settings<typeof grpcServerSettings>,
  add: (server: RpcServer) => void,
): Promise<number> {
  const server = createRpcServer({
    telemetry,
    verify: createVerifier(config.TRUSTED_KEYS),
    tls: tlsFiles(name, config),
    ready: async () => (await lifecycle.readiness()).ready,
    isUnreachable,
  });
  add(server);
  addDeadLetterService(server, followers);
  const port = await server.listen(config.GRPC_LISTEN);
  lifecycle.listening('grpc', config.GRPC_LISTEN);
  lifecycle.defer('grpc', () => server.close(GRPC_CLOSE_LIMIT_MS));
  return port;
}
