import { describe, expect, it } from '@jest/globals';
import { summary } from './summary.ts';

const stack = {
  baseUrl: 'http://127.0.0.1:8080',
  operatorUrl: 'http://127.0.0.1:8081',
  sandboxUrl: 'http://127.0.0.1:8082',
  dataDir: '/data',
  switchHttpUrl: null,
  demo: { company_id: 'com_1', email: 'ada@demo.example', password: 'secret', api_key: 'key_1' },
};

describe('what a person reads after the start', () => {
  it('ends with a line that begins with ready', () => {
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
  ])('names %s', (fact) => {
    expect(summary(stack)).toContain(fact);
  });

  it('contains the settings of a real switch', () => {
    const text = summary({ ...stack, switchHttpUrl: 'http://127.0.0.1:8083' });
    expect(text).toContain('CALL_CONTROL_URL=http://127.0.0.1:8083 SWITCH_NAME=freeswitch');
    expect(text).toContain('switchSecret in /data/secrets.json');
    expect(summary(stack)).not.toContain('CALL_CONTROL_URL');
  });

  it('is silent about a demo company that is not there', () => {
    expect(summary({ ...stack, demo: null })).not.toContain('demo');
  });
});
