import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig } from '@parley/service';
import { config } from './config.ts';

const load = (env: Record<string, string>) =>
  loadConfig('sandbox', config, {
    NATS_URL: 'nats://127.0.0.1:4222',
    SANDBOX_LISTEN: '127.0.0.1:8082',
    SMTP_LISTEN: '127.0.0.1:8025',
    ...env,
  });

describe('the sandbox', () => {
  it.each(['127.0.0.1:1', '127.8.8.8:1', 'localhost:1', '[::1]:1'])('the sandbox listens on %s', (address) => {
    expect(load({ SANDBOX_LISTEN: address }).SANDBOX_LISTEN).toBe(address);
  });

  it.each(['0.0.0.0:1', '10.0.0.1:1', '[::]:1', '127.0.0.1.example.com:1', 'sandbox:1', 'unix:/run/sandbox'])(
    'the sandbox does not listen on %s, which others could reach, by default',
    (address) => {
      expect(() => load({ SANDBOX_LISTEN: address })).toThrow(ConfigError);
      expect(() => load({ SMTP_LISTEN: address })).toThrow('SMTP_LISTEN');
      expect(load({ SANDBOX_LISTEN: address, SANDBOX_ALLOW_REMOTE: 'on' }).SANDBOX_LISTEN).toBe(address);
    },
  );

  it('the sandbox names an address that others could reach beside every other problem', () => {
    expect(() => load({ SANDBOX_LISTEN: '0.0.0.0:1', SMTP_LISTEN: 'x', LOG_LEVEL: 'loud' })).toThrow(
      /LOG_LEVEL: .*\n\s+SMTP_LISTEN: must look .*\n\s+SANDBOX_LISTEN: must be a host:port on loopback/,
    );
  });
});
