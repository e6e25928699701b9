import { z } from 'zod';

/** Settings as the environment gives them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** All problems of the settings in one message. */
export class ConfigError extends Error {
  constructor(service: string, problems: readonly string[]) {
    super(`${service} cannot start with these settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** Reads the settings of a schema. An empty variable counts as absent, as in most shells and charts. */
export function loadConfig<Config>(service: string, schema: z.ZodType<Config>, env: Environment): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw new ConfigError(
    service,
    result.error.issues.map(({ path, message }) => {
      const [name = ''] = path;
      return `${path.join('.')}: ${Object.hasOwn(given, name) ? message : 'is missing'}`;
    }),
  );
}

/** `host:port` or `unix:/path`. */
export const listenAddress = z.string().regex(/^(unix:\/.+|.+:\d+)$/, 'must look like host:port or unix:/path');

/** Items with commas between them; spaces and empty items do not count. */
export const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

/** Base64 of 32 bytes. Several, with commas, while a key is replaced: the first one encrypts and all decrypt. */
const encryptionKeys = commaList.pipe(z.array(z.base64().length(44)).min(1));

/** The address of an HTTP server, without the slash at its end. */
export const httpUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''));

/** The origin of an HTTP server. */
export const httpOrigin = z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin);

const base64Key = z.base64().min(32);

const json = <T>(schema: z.ZodType<T>) =>
  z.string().transform((text, context) => {
    try {
      return schema.parse(JSON.parse(text));
    } catch {
      context.addIssue({ code: 'custom', message: 'is not the JSON expected' });
      return z.NEVER;
    }
  });

/** The level names of other programs in the same environment, such as FreeSWITCH. */
const SYSLOG_LEVELS: Readonly<Record<string, string>> = {
  alert: 'fatal',
  crit: 'fatal',
  err: 'error',
  warning: 'warn',
  notice: 'info',
};

/** The settings of every service. */
export const baseSettings = {
  LOG_LEVEL: z
    .preprocess(
      (level) => SYSLOG_LEVELS[String(level)] ?? level,
      z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    )
    .default('info'),
  /** HTTP health for probes: /healthz/live and /healthz/ready. */
  HEALTH_LISTEN: listenAddress.optional(),
  /** Metrics in Prometheus's format: /metrics. */
  METRICS_LISTEN: listenAddress.optional(),
  /** A stopping service continues to serve for this time while it is not ready. */
  DRAIN_SECS: z.coerce.number().min(0).max(60).default(0),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
  /** Share of new traces that are recorded. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  /** `none`: the collector gets traces and metrics only. */
  OTEL_LOGS_EXPORTER: z.enum(['otlp', 'none']).default('otlp'),
  OTEL_METRIC_EXPORT_INTERVAL: z.coerce.number().int().min(100).default(15_000),
  /** "on" only in the sandbox: the clock can be moved. */
  TEST_CLOCK: z.enum(['on', 'off']).default('off'),
};

/** Settings of services that make or serve RPCs. */
export const rpcSettings = {
  /** Own Ed25519 private key: PKCS #8 DER, base64. */
  SIGNING_KEY: base64Key,
  /** Service name to public key (SPKI DER, base64), or to several while one is being replaced; as JSON. */
  TRUSTED_KEYS: json(z.record(z.string(), z.union([base64Key, z.array(base64Key).min(1)]))),
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
  TLS_CA_FILE: z.string().optional(),
};

export const grpcServerSettings = { ...rpcSettings, GRPC_LISTEN: listenAddress };

/** The address contains the write concern. */
export const mongoSettings = {
  MONGODB_URL: z.string().regex(/^mongodb(\+srv)?:\/\//, 'must be a mongodb:// address'),
  MONGODB_DATABASE: z.string().regex(/^[a-z][a-z0-9_]{2,60}$/),
};

/** Settings of services that publish or follow events. */
export const natsSettings = {
  NATS_URL: z.string().min(1),
  NATS_USER: z.string().optional(),
  NATS_PASSWORD: z.string().optional(),
  NATS_CREDS_FILE: z.string().optional(),
  /** Prefix of every subject and stream. */
  NATS_PREFIX: z
    .string()
    .regex(/^[a-z][a-z0-9-]*$/)
    .default('parley'),
  /** Copies of each stream in the broker's cluster. */
  NATS_REPLICAS: z.coerce.number().int().min(1).max(5).default(1),
};

/** Settings of services with a database that serve gRPC, publish events and store secrets or sign addresses. */
export const statefulServiceSettings = {
  ...baseSettings,
  ...grpcServerSettings,
  ...mongoSettings,
  ...natsSettings,
  ENCRYPTION_KEY: encryptionKeys,
  /** When the databases were restored from a backup: what was commanded before is not done a second time. */
  RESTORED_AT: z.iso
    .datetime({ offset: true })
    .transform((text) => new Date(text))
    .optional(),
};

/** Settings of services that send requests to addresses of customers. */
export const egressSettings = {
  /** Origins that may be plain http or private. For test environments only. */
  ALLOWED_ORIGINS: commaList.pipe(z.array(httpOrigin)).default([]),
  /** Networks of our own (CIDR) that have public addresses. */
  DENIED_NETWORKS: commaList.pipe(z.array(z.union([z.cidrv4(), z.cidrv6()]))).default([]),
};
