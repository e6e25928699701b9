import { addressSetting } from '@parley/service/service-names';
import type { NatsAccess } from './external-servers.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { Secrets } from './secrets.ts';
import type { LocalService, StackFacts } from './services.ts';

/** Strings by name, as a process gets them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that every process needs to run at all. */
const INHERITED =
  /^(PATH|HOME|TMPDIR|LANG|TZ|XDG_CACHE_HOME|NODE_(EXTRA_CA_CERTS|COMPILE_CACHE)|(https?|no)_proxy|npm_config_(registry|(user|global)config|cafile))$/i;

/** Variables that are passed to all services. */
const PASSED_ON =
  /^(OTEL_.*|NATS_CREDS_FILE|NATS_REPLICAS|DRAIN_SECS|LOG_LEVEL|CHECK_RESPONSES|MODELS_DIR|CARRIERS|SIP_DOMAIN|SIP_WEBSOCKET_URL|ICE_SERVERS|RECORDINGS_S3|PROXY_HOPS|(AUTH|PAGE)_FAILURES_.*|(SYNTHESIS|TRANSCRIPTION|SUMMARY|EMBEDDING)_.*)$/;

export interface EnvironmentInput {
  readonly services: readonly LocalService[];
  readonly facts: StackFacts;
  readonly secrets: Secrets;
  readonly infrastructure: Pick<Infrastructure, 'mongoUrls' | 'nats'>;
  readonly socketDir: string;
  /** The environment of the process that starts the stack. */
  readonly own: Environment;
}

/** The settings of each service, by its name. */
export function serviceEnvironments(input: EnvironmentInput): Record<string, Environment> {
  const { services, facts, secrets, infrastructure, socketDir, own } = input;
  const address = (name: string) => `unix:${socketDir}/${name}.grpc.sock`;
  const shared = {
    LOG_LEVEL: 'warn',
    ...pick(own, PASSED_ON),
    TEST_CLOCK: 'on',
    TRUSTED_KEYS: JSON.stringify(
      Object.fromEntries(services.map(({ name }) => [name, secrets.services[name]!.publicKey])),
    ),
    ...Object.fromEntries(services.map(({ name }) => [addressSetting(name), address(name)])),
  };
  const environmentOf = ({ name, hasDatabase, settings }: LocalService): Environment => ({
    ...shared,
    GRPC_LISTEN: address(name),
    ...natsSettings(infrastructure.nats[name]),
    SIGNING_KEY: secrets.services[name]!.signingKey,
    ENCRYPTION_KEY: secrets.services[name]!.encryptionKey,
    ...(hasDatabase && {
      MONGODB_URL: infrastructure.mongoUrls[name],
      MONGODB_DATABASE: `parley_${name.replaceAll('-', '_')}`,
    }),
    ...settings?.(facts),
  });
  return Object.fromEntries(services.map((service) => [service.name, environmentOf(service)]));
}

/** Speech has none: it does not use NATS. */
function natsSettings(access: NatsAccess | undefined): Environment {
  return access ? { NATS_URL: access.url, NATS_USER: access.user, NATS_PASSWORD: access.password } : {};
}

/** The inherited variables of a child process, besides the settings of its service. */
export function inheritedEnvironment(own: Environment): Environment {
  const { PARLEY_NODE_OPTIONS } = own;
  return { ...pick(own, INHERITED), ...(PARLEY_NODE_OPTIONS && { NODE_OPTIONS: PARLEY_NODE_OPTIONS }) };
}

function pick(environment: Environment, names: RegExp): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => names.test(name)));
}
