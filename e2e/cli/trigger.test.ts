import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Company, createTestCompany, sharedDataDir, sharedStack } from '../support/api.ts';
import { type CommandLine, openCommandLine, removeCommandLines, withKey } from './command-line.ts';

removeCommandLines();
const stack = sharedStack();
const LOCAL = ['--local', path.join(sharedDataDir(), 'local.json')];
/** Conversations are transcribed one after the other, and other tests have some. */
const PATIENCE = ['--timeout', '300'];
let company: Company;
let machine: CommandLine;
let folder: string;

beforeAll(async () => {
  company = await createTestCompany();
  machine = withKey(await openCommandLine(), company.apiKey);
  folder = await mkdtemp(path.join(tmpdir(), 'parley-local-'));
});
afterAll(() => rm(folder, { recursive: true }));

const types = async (): Promise<string[]> =>
  (await machine.json('events', 'types')).event_types.map(({ name }: { name: string }) => name);
/** In real time: `trigger.spoken.test.ts`. */
const isSpoken = (type: string) => type.startsWith('assistant.');

describe('a triggered event', () => {
  it('a triggered event may be of every type that there is', async () => {
    const listed = (await machine.json('trigger', '--list')).map(({ event }: { event: string }) => event);
    expect(listed.toSorted()).toEqual((await types()).toSorted());
    const { out } = await machine.run('trigger', '--list');
    for (const type of listed) expect(out).toContain(`${type}\n    `);
  });

  it('a triggered event really happens, whatever its type but those of conversations with an assistant, and nothing is left behind', async () => {
    const everything = (await types()).filter((type) => !isSpoken(type));
    const ended: Record<string, unknown> = {};
    const waiting = everything.values();
    // Two at a time, as two users of one company.
    const triggerSome = async () => {
      for (const type of waiting) {
        const { code, out, err } = await machine.run('trigger', type, ...LOCAL, ...PATIENCE);
        ended[type] = code === 0 ? JSON.parse(out).event : err;
        expect(err).not.toContain('left behind');
      }
    };
    await Promise.all([triggerSome(), triggerSome()]);
    expect(ended).toEqual(Object.fromEntries(everything.map((type) => [type, type])));
    expect((await company.call('GET', '/employees')).body.employees).toHaveLength(1);
    expect((await company.call('GET', '/business_numbers')).body.main_numbers).toEqual([]);
    expect((await company.call('GET', '/text_snippets')).status).toBe(404);
  }, 900_000);

  it('a triggered event shows its requests, and no secret', async () => {
    const { code, out, err } = await machine.run('trigger', 'call.held', ...LOCAL, ...PATIENCE, '--verbose');
    expect([code, JSON.parse(out)]).toMatchObject([
      0,
      { event: 'call.held', data: { main_number_name: 'Parley trigger' } },
    ]);
    for (const request of [
      `POST ${stack.base_url}/api/v1/employees {"name"`,
      `POST ${stack.operator_url}/operator/v1/companies/${company.id}/business_numbers {"number"`,
      `POST ${stack.sandbox_url}/calls {"from"`,
      '→ 201',
    ])
      expect(err).toContain(request);
    expect(out + err).not.toContain(stack.operator_token);
    expect(out + err).not.toMatch(/pk_/);
  });

  it('a triggered event may have its former name', async () => {
    expect(await machine.json('trigger', 'call.outside_opening_hours', ...LOCAL, ...PATIENCE)).toMatchObject({
      event: 'call.outside_business_hours',
    });
  });

  it('a triggered event ends with Ctrl-C, and what it has made is removed', async () => {
    const run = machine.start('trigger', 'call.transcription_done', ...LOCAL, ...PATIENCE, '--verbose');
    await new Promise<void>((resolve) => {
      run.process.stderr!.on('data', () => run.err().includes(`${stack.sandbox_url}/calls`) && resolve());
      run.process.once('exit', () => resolve());
    });
    run.process.kill('SIGINT');
    expect((await run.ended).code).toBe(130);
    expect((await company.call('GET', '/business_numbers')).body.main_numbers).toEqual([]);
    expect((await company.call('GET', '/employees')).body.employees).toHaveLength(1);
  });
});

describe('an event that cannot be triggered', () => {
  const local = async (content: object) => {
    const file = path.join(folder, `${Math.random().toString(36).slice(2)}.json`);
    await writeFile(file, JSON.stringify(content));
    return ['--local', file];
  };

  it.each([
    ['there is no file', () => Promise.resolve([]), 'there is no .parley/local.json'],
    ['the file has no sandbox', () => local({ base_url: stack.base_url }), 'no sandbox_url'],
    ['the sandbox does not answer', () => local({ ...stack, sandbox_url: 'http://127.0.0.1:1' }), 'does not answer'],
    ['it is no sandbox', () => local({ ...stack, sandbox_url: stack.base_url }), 'is no sandbox'],
    ['it belongs to another service', () => local({ ...stack, base_url: 'https://phone.example' }), 'has none'],
    ['it needs the operator API', () => local({ ...stack, operator_token: '' }), 'operator_url or operator_token'],
  ])('an event that cannot be triggered because %s ends with 1', async (_name, args, reason) => {
    const elsewhere = machine.with({ PARLEY_DATA_DIR: undefined });
    const { code, out, err } = await elsewhere.run('trigger', 'call.ended', ...(await args()));
    expect([code, out, err]).toEqual([1, '', expect.stringContaining(reason)]);
  });

  it.each([['call.nothing'], ['webhook.test'], ['toString'], ['contact.created', '--timeout', '0']])(
    'an event that cannot be triggered is wrong usage: %s',
    async (...args) => {
      expect((await machine.run('trigger', ...args.filter((arg) => typeof arg === 'string'), ...LOCAL)).code).toBe(2);
    },
  );
});
