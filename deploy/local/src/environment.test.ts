import { describe, expect, it } from '@jest/globals';
import { inheritedEnvironment, serviceEnvironments } from './environment.ts';
import { completeSecrets } from './secrets.ts';
import type { LocalService } from './services.ts';

const load: LocalService['load'] = () => Promise.reject(new Error('not loaded here'));
const services: LocalService[] = [
  { name: 'numbers-routing', hasDatabase: true, load },
  { name: 'gateway', hasDatabase: false, load, settings: ({ publicListen }) => ({ PUBLIC_LISTEN: publicListen }) },
];
const secrets = completeSecrets(
  undefined,
  services.map(({ name }) => name),
);

function environments(own: Record<string, string> = {}) {
  return serviceEnvironments({
    services,
    secrets,
    facts: {
      publicUrl: 'http://127.0.0.1:8080',
      publicListen: '127.0.0.1:8080',
      operatorListen: '127.0.0.1:8081',
      operatorToken: 'op',
      sandboxUrl: 'http://127.0.0.1:8082',
      sandboxListen: '127.0.0.1:8082',
      sandboxPort: 8082,
      smtpListen: '127.0.0.1:2525',
      eventSocketListen: '127.0.0.1:8021',
      eventSocketPassword: 'event socket',
      switchListen: '127.0.0.1:8083',
      switchHttpUrl: 'http://127.0.0.1:8083',
      switchSecret: 'switch',
      switchFilesDir: '/tmp/switch',
      dashboardDir: '/dashboard',
      smsProvider: secrets.smsProvider,
    },
    infrastructure: {
      mongoUrls: { 'numbers-routing': 'mongodb://numbers' },
      nats: { gateway: { url: 'nats://127.0.0.1:4222', user: 'gateway', password: 'secret' } },
    },
    socketDir: '/tmp/s',
    own,
  });
}

describe('the settings of a service', () => {
  it('the settings of a service are its own: address, database, keys', () => {
    expect(environments()['numbers-routing']).toMatchObject({
      GRPC_LISTEN: 'unix:/tmp/s/numbers-routing.grpc.sock',
      MONGODB_URL: 'mongodb://numbers',
      MONGODB_DATABASE: 'parley_numbers_routing',
      SIGNING_KEY: secrets.services['numbers-routing']!.signingKey,
      TEST_CLOCK: 'on',
    });
  });

  it('the settings of a service contain the addresses of the peers and the trusted keys', () => {
    const { gateway } = environments();
    expect(gateway!.NUMBERS_ROUTING_ADDRESS).toBe('unix:/tmp/s/numbers-routing.grpc.sock');
    expect(JSON.parse(gateway!.TRUSTED_KEYS!)).toEqual({
      'numbers-routing': secrets.services['numbers-routing']!.publicKey,
      gateway: secrets.services.gateway!.publicKey,
    });
  });

  it('the settings of a service hold no database where there is none, and what only that service has', () => {
    const { gateway } = environments();
    expect(gateway).not.toHaveProperty('MONGODB_URL');
    expect(gateway!.PUBLIC_LISTEN).toBe('127.0.0.1:8080');
  });

  it('the settings of a service take the telemetry and the log level from the person, and nothing else', () => {
    const own = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector',
      LOG_LEVEL: 'debug',
      MONGODB_URL: 'x',
      HEALTH_LISTEN: 'y',
    };
    const { gateway } = environments(own);
    expect(gateway).toMatchObject({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector', LOG_LEVEL: 'debug' });
    expect(gateway).not.toHaveProperty('MONGODB_URL');
    expect(gateway).not.toHaveProperty('HEALTH_LISTEN');
    expect(environments().gateway!.LOG_LEVEL).toBe('warn');
  });
});

describe('what a process inherits', () => {
  it('what a process inherits is what it needs to run, not what was meant for another program', () => {
    const own = {
      PATH: '/bin',
      HOME: '/root',
      https_proxy: 'p',
      NODE_COMPILE_CACHE: '/cache',
      NODE_OPTIONS: '--inspect',
      PARLEY_PORT: '1',
      SECRET: 's',
    };
    expect(inheritedEnvironment(own)).toEqual({
      PATH: '/bin',
      HOME: '/root',
      https_proxy: 'p',
      NODE_COMPILE_CACHE: '/cache',
    });
    expect(inheritedEnvironment({ PARLEY_NODE_OPTIONS: '--cpu-prof' })).toEqual({ NODE_OPTIONS: '--cpu-prof' });
  });
});
