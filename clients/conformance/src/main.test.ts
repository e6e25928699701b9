import { describe, expect, it } from '@jest/globals';
import { checks } from './checks/index.ts';
import { main } from './main.ts';

async function call(...args: string[]): Promise<{ status: number; out: string; error: string }> {
  const written = { out: '', error: '' };
  const status = await main(args, {
    out: (text) => (written.out += text),
    error: (text) => (written.error += text),
  });
  return { status, ...written };
}

describe('the program', () => {
  it('the program ends with 2 and says what is wrong with its arguments', async () => {
    expect(await call('--base-url', 'http://127.0.0.1')).toEqual({
      status: 2,
      out: '',
      error: expect.stringContaining('Name a server'),
    });
    expect(await call('--list', '--check', 'CONTACTS-999')).toMatchObject({
      status: 2,
      error: expect.stringContaining('there is no check CONTACTS-999'),
    });
  });

  it('the program lists checks of the areas that are chosen, without a server', async () => {
    const { status, out } = await call('--list', '--area', 'snippets');
    expect(status).toBe(0);
    expect(out.trim().split('\n')).toHaveLength(checks.filter(({ area }) => area === 'snippets').length);
  });

  it('the program explains itself', async () => {
    expect(await call('--help')).toMatchObject({ status: 0, out: expect.stringContaining('--mutations') });
  });

  it('the program ends with 1 for a server that cannot be reached', async () => {
    const { status, out } = await call(
      '--base-url',
      'http://127.0.0.1:1',
      '--api-key',
      'pk_1',
      '--check',
      'CONTACTS-001',
    );
    expect(status).toBe(1);
    expect(out).toContain('FAILED CONTACTS-001');
    expect(out).toMatch(/^contacts: 0 of 1$/m);
  });
});
