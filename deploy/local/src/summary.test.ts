import { describe, expect, it } from '@jest/globals';
import { summary } from './summary.ts';

const stack = {
  baseUrl: 'http://127.0.0.1:8080',
  operatorUrl: 'http://127.0.0.1:8081',
  sandboxUrl: 'http://127.0.0.1:8082',
  dataDir: '/data',
  realSwitch: null,
  demo: { company_id: 'com_1', email: 'ada@demo.example', password: 'secret', api_key: 'key_1' },
};

describe('what a person reads after the start', () => {
  it('what a person reads after the start ends with a line that begins with ready', () => {
    expect(summary(stack).split('\n').at(-1)).toMatch(/^ready: http:\/\/127\.0\.0\.1:8080 /);
  });

  it.each([
    'http://127.0.0.1:8080/dashboard/sandbox',
    'http://127.0.0.1:8080/api/v1',
    'http://127.0.0.1:8081',
    'http://127.0.0.1:8082',
    'ada@demo.example',
    'secret',
    'key_1',
  ])('what a person reads after the start names %s', (fact) => {
    expect(summary(stack)).toContain(fact);
  });

  it('what a person reads after the start contains the settings of a real switch', () => {
    const realSwitch = { at: '10.0.0.5:8021', httpUrl: 'http://127.0.0.1:8083', problem: undefined };
    const text = summary({ ...stack, realSwitch });
    expect(text).toContain('CALL_CONTROL_URL=http://127.0.0.1:8083 SWITCH_NAME=freeswitch');
    expect(text).toContain('switchSecret in /data/secrets.json');
    expect(text).toContain('10.0.0.5:8021  (connected)');
    // Calls do not run there.
    expect(text).not.toContain('telephone network');
    expect(summary(stack)).toContain('telephone network');
    expect(summary(stack)).not.toContain('CALL_CONTROL_URL');
    expect(summary({ ...stack, realSwitch: { ...realSwitch, problem: 'connect ECONNREFUSED' } })).toContain(
      '10.0.0.5:8021  NOT CONNECTED: connect ECONNREFUSED',
    );
  });

  it('what a person reads after the start is silent about a demo company that is not there', () => {
    expect(summary({ ...stack, demo: null })).not.toContain('demo');
  });
});
