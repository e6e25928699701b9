import { describe, expect, it } from '@jest/globals';
import { natsConfig } from './nats-config.ts';

const user = { user: 'parley', password: 'secret' };
const settings = { port: 4222, storeDir: '/data/nats', users: [user] };

describe('the configuration of nats-server', () => {
  it('the configuration of nats-server binds to loopback and requires a password', () => {
    const config = natsConfig(settings);
    expect(config).toContain('host: 127.0.0.1\nport: 4222\n');
    expect(config).toContain('{ user: "parley", password: "secret" }');
  });

  it('the configuration of nats-server writes the file store through every second', () => {
    expect(natsConfig(settings)).toContain('sync_interval: 1s\n');
  });

  it('the configuration of nats-server quotes what could end a string', () => {
    expect(natsConfig({ ...settings, users: [{ ...user, password: 'a"b\\c' }] })).toContain('password: "a\\"b\\\\c" }');
  });

  it('the configuration of nats-server refuses a line break in a setting', () => {
    expect(() => natsConfig({ ...settings, users: [{ ...user, user: 'x"\nport: 1' }] })).toThrow('a control character');
  });
});
