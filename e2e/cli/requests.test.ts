import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { type Company, createTestCompany, operate, sandbox, sharedStack, succeeded } from '../support/api.ts';
import { openHook } from '../webhooks/hooks.ts';
import { type CommandLine, openCommandLine, removeCommandLines, withKey } from './command-line.ts';

removeCommandLines();
const stack = sharedStack();
const ESCAPES = '\u001b]0;owned\u0007\u001b[31mAne\u009b1m\u202e';
/** What a terminal obeys; lines end with a line feed. */
// oxlint-disable-next-line no-control-regex -- control characters are what it finds
const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/;
let company: Company;
let parley: CommandLine;
let servers = 0;

beforeAll(async () => {
  company = await createTestCompany();
  parley = withKey(await openCommandLine(), company.apiKey);
});

/** The command line with a server that gives these responses. */
async function hostile(...responses: object[]): Promise<CommandLine> {
  const route = `/servers/cli-${process.pid}-${(servers += 1)}`;
  await succeeded(sandbox(stack, 'PUT', route, { responses }));
  return parley.with({ PARLEY_BASE_URL: stack.sandbox_url + route });
}

describe('any request of the command line', () => {
  it('any request of the command line is sent, with fields, JSON and a file', async () => {
    const created = await parley.json('api', 'POST', '/contacts', '-f', 'phone=20304050', '-f', 'name=Ane');
    expect(created).toMatchObject({ phone: '+4520304050', name: 'Ane' });
    const target = `/api/v1/contacts/${created.id}`;
    expect(await parley.json('api', 'patch', target, '-d', '{"note":"Mondays"}')).toMatchObject({ note: 'Mondays' });
    const file = path.join(parley.configFolder, '../contact.json');
    await writeFile(file, '{"company_name":"Vinter"}');
    expect(await parley.json('api', 'PATCH', target, '-d', `@${file}`)).toMatchObject({ company_name: 'Vinter' });
    expect(await parley.json('api', 'GET', '/contacts?limit=1', '-q', 'query=ane')).toHaveLength(1);
    expect(await parley.run('api', 'DELETE', target)).toMatchObject({ code: 0, out: '' });
  });

  it('any request of the command line shows status and headers where they are asked for, also of a refusal', async () => {
    const { code, out } = await parley.run('api', 'GET', '/company', '-i');
    expect([code, out]).toEqual([0, expect.stringMatching(/^HTTP 200\n[^]*^x-request-id: req_.*\n\n\{\n/m)]);
    const refused = await parley.run('api', 'POST', '/contacts', '-f', 'phone=x', '-i');
    expect(refused).toMatchObject({ code: 1, out: expect.stringMatching(/^HTTP 422\n[^]*"validation_failed"/) });
    expect(refused.err).toMatch(/^parley: phone is not a valid phone number\n {2}phone: [^]*request id: req_/);
    const asJson = await parley.run('api', 'GET', '/nothing', '--json');
    expect(JSON.parse(asJson.err)).toMatchObject({ error: { status: 404, exit_code: 1 } });
  });

  it('any request of the command line gives all pages of a list as one', async () => {
    const other = await createTestCompany();
    const others = withKey(parley, other.apiKey);
    for (let n = 0; n < 5; n++) await succeeded(other.call('POST', '/contacts', { phone: `+4521${100_000 + n}` }));
    expect(await others.json('api', 'GET', '/contacts', '-q', 'limit=2', '--paginate')).toHaveLength(5);
    const entries = await others.json('api', 'GET', '/audit_events', '-q', 'limit=1', '--paginate');
    expect(entries.length).toBeGreaterThan(1);
    expect(await others.json('api', 'GET', '/webhooks', '--paginate')).toEqual([]);
    expect((await others.run('api', 'GET', '/company', '--paginate')).code).toBe(1);
  });

  it('any request of the command line may be cut off by its reader', async () => {
    const main = path.resolve(import.meta.dirname, '../../clients/cli/src/main.ts');
    const env = { PATH: process.env['PATH'], PARLEY_BASE_URL: stack.base_url, HOME: parley.configFolder };
    const script = `"${process.execPath}" "${main}" docs openapi | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script], { env });
    expect([stdout, stderr]).toEqual(['{\n0\n', '']);
  });
});

describe('the documents', () => {
  it.each(['openapi', 'asyncapi'])(
    'the document %s is that of the service, also for somebody who is not signed in',
    async (name) => {
      const { out } = await parley.with({ PARLEY_API_KEY: undefined }).run('docs', name);
      const file = path.resolve(import.meta.dirname, `../../services/gateway/${name}.json`);
      const [given, expected] = [JSON.parse(out), JSON.parse(await readFile(file, 'utf8'))];
      expect(Object.keys(given.components.schemas)).toEqual(Object.keys(expected.components.schemas));
    },
  );
});

describe('what a server responds', () => {
  it.each([
    ['api GET /contacts', { body: [{ name: ESCAPES }] }],
    ['api GET /contacts -i', { headers: { 'X-Name': 'a\u009bb' }, body: [] }],
    ['api GET /contacts/export.csv', { headers: { 'Content-Type': 'text/csv' }, body: `name\r\n${ESCAPES}\r\n` }],
    ['api GET /contacts', { status: 422, body: { error: ESCAPES, errors: { [ESCAPES]: [ESCAPES] } } }],
    ['whoami', { body: { id: ESCAPES, name: ESCAPES } }],
    [
      'events list',
      {
        body: {
          events: [{ id: ESCAPES, event: ESCAPES, timestamp: ESCAPES, data: { contact: { name: ESCAPES } } }],
          next_cursor: ESCAPES,
          has_more: false,
        },
      },
    ],
    ['events types', { body: { event_types: [{ name: ESCAPES, description: ESCAPES, former_names: [ESCAPES] }] } }],
    ['docs openapi', { body: { info: ESCAPES } }],
    ['login --device', { body: { device_code: 'x', user_code: ESCAPES, verification_uri: ESCAPES, interval: 600 } }],
  ])('what a server responds has no control characters in the output of %s', async (command, response) => {
    const machine = await hostile(response);
    const run = machine.start(...command.split(' '));
    if (command.startsWith('login')) {
      await waitUntil(async () => run.err().includes('Waiting'), { what: 'the code' });
      run.process.kill('SIGINT');
    }
    const { out, err } = await run.ended;
    expect(out + err).not.toBe('');
    expect(out + err).not.toMatch(OBEYED);
  });

  it.each([
    ['a page', [{ body: '<html>Sign in to the hotel</html>' }]],
    ['half of a JSON', [{ headers: { 'Content-Type': 'application/json' }, body: '{"id":' }]],
    ['a redirect', [{ status: 302, headers: { Location: 'http://127.0.0.1:1/' } }]],
    ['a time to wait of thirty years', [{ status: 429, headers: { 'Retry-After': '1e9' } }]],
    ['a list that is none', [{ body: { id: 'com_1', name: 'x' } }, { body: {} }]],
  ])('what a server responds may be %s, which is an error and no stack', async (_name, responses) => {
    const machine = await hostile(...responses);
    const command = responses.length === 1 ? ['whoami'] : ['events'];
    const { code, err } = await machine.run(...command);
    expect([code, err]).toEqual([1, expect.stringMatching(/^parley: /)]);
    expect(err).not.toMatch(/ {4}at |node:/);
  });
});

describe('the log of events', () => {
  it('the log of events is listed, read and sent again', async () => {
    const own = await createTestCompany();
    const machine = withKey(parley, own.apiKey);
    const hook = openHook(own);
    const first = await machine.json('events');
    await succeeded(own.call('POST', '/contacts', { phone: '+4520304050', name: 'Ane' }));
    const { body: webhook } = await succeeded(
      own.call('POST', '/webhooks', { name: 'CRM', url: hook.url, events: ['call.ended'] }),
    );
    const list = () =>
      machine.json('events', 'list', '--after', first.next_cursor, '--types', 'contact.*', '--limit', '1');
    const [event] = await waitUntil(async () => (await list()).events.length > 0 && (await list()).events, {
      what: 'an event',
    });
    expect(event).toMatchObject({ event: 'contact.created', data: { contact: { name: 'Ane' } } });
    expect((await machine.run('events', 'list', '--from', '2026-01-01T00:00:00Z')).out).toMatch(
      /^TIME +EVENT[^]*contact.created/,
    );
    expect(await machine.json('events', 'get', event.id)).toEqual(event);
    expect((await machine.json('events', 'types')).event_types.length).toBeGreaterThan(20);

    expect((await machine.run('events', 'resend', event.id, '--webhook', webhook.id)).code).toBe(0);
    const [delivered] = await hook.has(1);
    const logged = () => machine.json('logs', '--webhook', webhook.id);
    const [delivery] = await waitUntil(async () => (await logged())[0]?.status === 'delivered' && logged(), {
      what: 'a delivery',
    });
    expect(delivery).toMatchObject({
      event: 'contact.created',
      webhook_id: webhook.id,
      attempts: [{ status_code: 200 }],
    });
    expect(await machine.json('logs', '--failed')).toEqual([]);

    // The same body and the same headers as the service has sent.
    const mine = openHook(own);
    expect(await machine.json('events', 'resend', event.id, '--to', mine.url)).toMatchObject({ status_code: 200 });
    const [resent] = await mine.has(1);
    expect(resent!.raw_body).toBe(delivered!.raw_body);
    expect(Object.keys(resent!.headers).toSorted()).toEqual(Object.keys(delivered!.headers).toSorted());
    for (const name of ['content-type', 'user-agent', 'parley-event-id', 'content-length'])
      expect(resent!.headers[name]).toBe(delivered!.headers[name]);

    await mine.answer([500]);
    expect((await machine.run('events', 'resend', event.id, '--to', mine.url)).code).toBe(1);
    expect((await machine.run('events', 'resend', event.id, '--to', 'http://127.0.0.1:1/')).code).toBe(4);
    for (const args of [
      [],
      ['--to', mine.url, '--webhook', webhook.id],
      ['--to', 'here'],
      ['--webhook', 'x', '--secret', 'whsec_aaaa'],
    ])
      expect((await machine.run('events', 'resend', event.id, ...args)).code).toBe(2);
  });

  it('the log of events is refused to a member, who is told why', async () => {
    const own = await createTestCompany();
    const { body: member } = await succeeded(
      own.call('POST', '/employees', { name: 'Mia', email: `mia.${own.id}@example.com` }),
    );
    const { body: key } = await succeeded(operate(stack, 'POST', `/employees/${member.id}/api_keys`, { name: 'cli' }));
    const machine = withKey(parley, key.api_key);
    expect(await machine.run('events')).toMatchObject({ code: 1, err: expect.stringContaining('role admin') });
    expect(await machine.json('whoami')).toMatchObject({ admin: false });
  });
});

describe('the logs', () => {
  it('the logs go on with what happens, and end with Ctrl-C', async () => {
    const own = await createTestCompany();
    const machine = withKey(parley, own.apiKey);
    const hook = openHook(own);
    await hook.answer([500]);
    await succeeded(own.call('POST', '/webhooks', { name: 'CRM', url: hook.url, events: ['contact.created'] }));
    const runs = [machine.start('logs', '--follow'), machine.start('logs', '--follow', '--audit', '--json')];
    await waitUntil(async () => runs[1]!.out().includes('webhook.created'), { what: 'the log', timeoutMs: 60_000 });
    await succeeded(own.call('POST', '/contacts', { phone: '+4520304050' }));
    const mia = { name: 'Mia', email: `mia.${own.id}@example.com` };
    await succeeded(own.call('POST', '/employees', mia));
    await waitUntil(async () => /contact\.created {2}pending .*500 \(\d+ ms\), next /.test(runs[0]!.out()), {
      what: 'an attempt',
      timeoutMs: 60_000,
    });
    await waitUntil(async () => runs[1]!.out().includes('employee.created'), {
      what: 'a new entry',
      timeoutMs: 60_000,
    });
    for (const { process: child } of runs) child.kill('SIGINT');
    for (const { code, err } of await Promise.all(runs.map((run) => run.ended))) expect([code, err]).toEqual([0, '']);
    const lines = runs[1]!
      .out()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id);
    expect(new Set(lines).size).toBe(lines.length);
  });

  it.each([['--audit', '--failed'], ['--audit', '--webhook', 'x'], ['--limit', '0'], ['--limit', 'x'], ['--nothing']])(
    'the logs are not for %s %s',
    async (...args) => {
      expect((await parley.run('logs', ...args.filter((arg) => arg !== undefined))).code).toBe(2);
    },
  );
});
