import { describe, expect, it } from '@jest/globals';
import { main } from '@parley/conformance';
import { createTestCompany, sharedStack } from '../support/api.ts';
import { runKit } from './run-kit.ts';

const stack = sharedStack();
/** Without a check that moves the clock or sets faults: other tests use the stack at the same time. */
const AREAS = 'contacts,snippets';
/** With mutations, so one area. */
const BROKEN_AREA = 'contacts';
const LIMIT_MS = 240_000;

describe('the conformance kit', () => {
  it(
    'the conformance kit finds that the stack conforms, and finds a server that breaks a rule',
    async () => {
      const { status, out } = await runKit(stack, '--area', BROKEN_AREA, '--mutations');
      expect(out).not.toMatch(/FAILED|NOT FOUND|not cleaned up/);
      expect(status).toBe(0);
      expect(out).toMatch(/^contacts: (\d+) of \1$/m);
      expect(out).toMatch(/^mutations: (\d+) of \1$/m);
    },
    LIMIT_MS,
  );

  it(
    'the conformance kit needs no more than an API key, and leaves nothing in its company',
    async () => {
      const company = await createTestCompany(stack, { messaging_enabled: true });
      let out = '';
      const write = (text: string) => {
        out += text;
      };
      const args = ['--base-url', stack.base_url, '--api-key', company.apiKey, '--area', AREAS];
      expect([await main(args, { out: write, error: write }), out]).toEqual([0, expect.not.stringContaining('FAILED')]);
      for (const path of ['/contacts', '/text_snippets']) expect((await company.call('GET', path)).body).toEqual([]);
    },
    LIMIT_MS,
  );
});
