import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ConfigError, listenAddress, loadConfig, statefulServiceSettings } from './config.ts';

const schema = z.object(statefulServiceSettings);
const key = Buffer.alloc(32, 1).toString('base64');
const good = {
  ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  SIGNING_KEY: key,
  TRUSTED_KEYS: JSON.stringify({ gateway: key }),
  GRPC_LISTEN: 'unix:/run/directory.sock',
  MONGODB_URL: 'mongodb://localhost/?w=1&journal=true',
  MONGODB_DATABASE: 'directory',
  NATS_URL: 'nats://localhost:4222',
};

function problemsOf(env: Record<string, string | undefined>): string[] {
  try {
    loadConfig('directory', schema, env);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    const [title, ...problems] = (error as ConfigError).message.split('\n');
    expect(title).toBe('directory cannot start with these settings:');
    return problems.map((line) => line.trim());
  }
}

describe('the settings of a service', () => {
  it('the settings of a service are read with their defaults', () => {
    expect(loadConfig('directory', schema, good)).toMatchObject({
      LOG_LEVEL: 'info',
      TRUSTED_KEYS: { gateway: key },
      OTEL_TRACES_SAMPLER_ARG: 1,
      NATS_PREFIX: 'parley',
      NATS_REPLICAS: 1,
      TEST_CLOCK: 'off',
    });
  });

  it('the settings of a service take the names of log levels that other programs have', () => {
    const levels = ['warning', 'err', 'notice', 'debug'].map(
      (level) => loadConfig('directory', schema, { ...good, LOG_LEVEL: level }).LOG_LEVEL,
    );
    expect(levels).toEqual(['warn', 'error', 'info', 'debug']);
  });

  it('the settings of a service are reported with every problem at once', () => {
    const env = {
      ...good,
      SIGNING_KEY: undefined,
      LOG_LEVEL: 'loud',
      GRPC_LISTEN: 'here',
      MONGODB_URL: 'postgres://localhost',
      OTEL_TRACES_SAMPLER_ARG: '2',
    };
    expect(
      problemsOf(env)
        .map((line) => line.split(':')[0])
        .toSorted(),
    ).toEqual(['GRPC_LISTEN', 'LOG_LEVEL', 'MONGODB_URL', 'OTEL_TRACES_SAMPLER_ARG', 'SIGNING_KEY']);
  });

  it('the settings of a service that are missing are called missing, also when they are empty', () => {
    expect(problemsOf({ ...good, SIGNING_KEY: '', NATS_URL: undefined }).toSorted()).toEqual([
      'NATS_URL: is missing',
      'SIGNING_KEY: is missing',
    ]);
  });

  it('the settings of a service are never repeated in a problem: they may be secret', () => {
    const secrets = { SIGNING_KEY: 'hunter2 hunter2 hunter2 hunter2 hunter2', TRUSTED_KEYS: '{"gateway":"hunter2"}' };
    const problems = problemsOf({ ...good, ...secrets, MONGODB_URL: 'hunter2' });
    expect(problems).toHaveLength(3);
    expect(problems.join()).not.toContain('hunter2');
  });

  it.each(['{', '[]', '{"gateway":1}', '"x"'])(
    'the settings of a service do not take %s for trusted keys',
    (TRUSTED_KEYS) => {
      expect(problemsOf({ ...good, TRUSTED_KEYS })).toEqual(['TRUSTED_KEYS: is not the JSON expected']);
    },
  );
});

describe('an address to listen at', () => {
  it.each(['127.0.0.1:80', '[::1]:80', 'localhost:0', 'unix:/run/x.sock'])(
    'an address to listen at may be %s',
    (address) => {
      expect(listenAddress.safeParse(address).success).toBe(true);
    },
  );

  it.each(['', '80', 'localhost', 'unix:x', 'localhost:http'])('an address to listen at may not be %j', (address) => {
    expect(listenAddress.safeParse(address).success).toBe(false);
  });
});
