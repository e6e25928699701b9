import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { sharedStack } from '../support/api.ts';

const program = path.resolve(import.meta.dirname, '../../helm/parley/files/test.mjs');
const stack = sharedStack();
const run = (env: Record<string, string>) => promisify(execFile)(process.execPath, [program], { env });

describe('what `helm test` runs', () => {
  it('what `helm test` runs is content with a stack that works', async () => {
    const { stdout } = await run({ GATEWAY_URL: stack.base_url, PUBLIC_HOST: '127.0.0.1' });
    expect(stdout.trim().split('\n')).toEqual([
      'every service is ready: GET /healthz is 200',
      'the API refuses an unknown key: GET /api/v1/employees is 401',
      'the API describes itself: GET /openapi.json is 200',
    ]);
  });

  it('what `helm test` runs fails with the reason when the gateway does not respond', async () => {
    const unreachable = { GATEWAY_URL: 'http://127.0.0.1:1', PUBLIC_HOST: '127.0.0.1', TIMEOUT_SECS: '0' };
    await expect(run(unreachable)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('GET /healthz is 0, not 200'),
    });
  });
});
