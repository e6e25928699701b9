import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { verifyWebhook } from '@parley/sdk/webhooks';
import { waitUntil } from '@parley/testkit/wait-until';
import { type Company, createTestCompany, operate, sharedStack, succeeded } from '../support/api.ts';
import { openHook } from '../webhooks/hooks.ts';
import { type CommandLine, openCommandLine, removeCommandLines, withKey } from './command-line.ts';
import { addContacts, endWith, namesAt, startListening } from './listening.ts';
import { openUnreliableNetwork } from './unreliable-network.ts';

removeCommandLines();
const stack = sharedStack();
const CREATED = ['--events', 'contact.created'];
const secretIn = (out: string) => /^Signing secret: (whsec_\S+)$/m.exec(out)![1]!;

async function open(): Promise<{ company: Company; machine: CommandLine }> {
  const company = await createTestCompany();
  return { company, machine: withKey(await openCommandLine(), company.apiKey) };
}

describe('a listener', () => {
  it('a listener forwards what a webhook gets: the same body and headers, signed with the secret that it shows', async () => {
    const { company, machine } = await open();
    const [webhook, mine] = [openHook(company), openHook(company)];
    const subscription = { name: 'CRM', url: webhook.url, events: ['contact.created'] };
    await succeeded(company.call('POST', '/webhooks', subscription));
    const run = await startListening(machine, '--forward-to', mine.url, ...CREATED);
    await addContacts(company, 'Ane ☎ "x"');
    const [[delivered], [forwarded]] = await Promise.all([webhook.has(1), mine.has(1)]);
    expect(forwarded!.raw_body).toBe(delivered!.raw_body);
    expect(Object.keys(forwarded!.headers).toSorted()).toEqual(Object.keys(delivered!.headers).toSorted());
    const own = ['webhook-id', 'webhook-signature', 'webhook-timestamp', 'traceparent'];
    for (const [name, value] of Object.entries(delivered!.headers))
      if (!own.includes(name)) expect([name, forwarded!.headers[name]]).toEqual([name, value]);
    const secret = secretIn(run.out());
    const { raw_body: body, headers } = forwarded!;
    expect(await verifyWebhook(body, headers, secret)).toMatchObject({ event: 'contact.created' });
    const line = /^\S+Z {2}contact\.created {2}evt_\w+ {2}200 \(\d+ ms\)$/m;
    await waitUntil(async () => line.test(run.out()), { what: 'a line' });
    expect(await endWith(run, 'SIGINT')).toBe(0);
    expect(run.err()).toBe('');

    // The secret is the profile's own, and kept where only its user reads it.
    const again = await startListening(machine, '--forward-to', mine.url);
    expect(secretIn(again.out())).toBe(secret);
    const file = path.join(machine.configFolder, 'profiles/default.signing-secret');
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600');
    expect(await endWith(again, 'SIGTERM')).toBe(0);
    const other = await startListening(machine, '--profile', 'other', '--forward-to', mine.url);
    expect(secretIn(other.out())).not.toBe(secret);
    // Nothing was created at the service.
    expect((await succeeded(company.call('GET', '/webhooks'))).body).toHaveLength(1);
  });

  it('a listener signs with the secret that is given, which it does not show', async () => {
    const { company, machine } = await open();
    const hook = openHook(company);
    const secret = `whsec_${Buffer.from('a secret of the webhook in production').toString('base64')}`;
    const run = await startListening(machine, '--forward-to', hook.url, '--secret', secret, ...CREATED);
    await addContacts(company, 'Ane');
    const [{ raw_body: body, headers }] = (await hook.has(1)) as [Awaited<ReturnType<typeof hook.has>>[0]];
    expect(await verifyWebhook(body, headers, secret)).toBeDefined();
    expect(await endWith(run, 'SIGINT')).toBe(0);
    expect(run.out() + run.err()).not.toContain(secret);
  });

  it('a listener shows events without a receiver, and as JSON', async () => {
    const { company, machine } = await open();
    const [plain, json] = await Promise.all([startListening(machine), startListening(machine, '--json', ...CREATED)]);
    await addContacts(company, 'Ane');
    await waitUntil(async () => plain.out().includes('contact.created') && json.out().includes('"Ane"'), {
      what: 'it',
    });
    const [begun, event] = json
      .out()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(begun).toEqual({ type: 'listening', forward_to: null });
    expect(event).toMatchObject({ type: 'event', cursor: expect.any(String), event: { event: 'contact.created' } });
    expect(plain.out()).not.toContain('whsec_');
  });

  it('a listener forwards each event once, in order, while connections are cut, the network is away, and the machine sleeps', async () => {
    const { company, machine } = await open();
    const network = await openUnreliableNetwork(stack.base_url);
    const hook = openHook(company);
    const through = machine.with({ PARLEY_BASE_URL: network.url });
    const run = await startListening(through, '--forward-to', hook.url, ...CREATED);
    const expected: string[] = [];
    const add = async (name: string) => {
      expected.push(name);
      await addContacts(company, name);
    };
    await add('at first');
    await namesAt(hook, 1);
    for (let round = 0; round < 4; round++) {
      await add(`before cut ${round}`);
      network.cut();
      await add(`after cut ${round}`);
    }
    await namesAt(hook, expected.length);
    network.goAway();
    await add('while it was away');
    await waitUntil(async () => run.err().includes('Waiting for the service'), { what: 'a note', timeoutMs: 60_000 });
    await add('while it was still away');
    network.comeBack();
    await namesAt(hook, expected.length);
    network.freeze();
    // As on a machine that sleeps: the program stands still, and its connections are forgotten meanwhile.
    run.process.kill('SIGSTOP');
    await add('while it slept');
    network.comeBack();
    run.process.kill('SIGCONT');
    await add('after it slept');
    expect(await namesAt(hook, expected.length)).toEqual(expected);
    expect(await endWith(run, 'SIGINT')).toBe(0);
    expect(await namesAt(hook, expected.length)).toEqual(expected);
    await network.close();
  });

  it('a listener goes on where the last run has ended, also after kill -9', async () => {
    const { company, machine } = await open();
    const hook = openHook(company);
    const args = ['--forward-to', hook.url, ...CREATED];
    expect(await machine.run('listen', ...args, '--since', 'last')).toMatchObject({
      code: 2,
      err: expect.stringContaining('has not listened'),
    });
    // A run without any event has a place, too.
    expect(await endWith(await startListening(machine, ...args), 'SIGKILL')).toBeNull();
    const expected = ['a', 'b'];
    await addContacts(company, ...expected);
    for (let round = 0; round < 4; round++) {
      const run = await startListening(machine, ...args, '--since', 'last');
      await namesAt(hook, expected.length);
      const [name, next] = [`during ${round}`, `between ${round}`];
      await addContacts(company, name);
      await namesAt(hook, expected.length + 1);
      await positionBehind(machine, company, expected.length + 1);
      expect(await endWith(run, 'SIGKILL')).toBeNull();
      await addContacts(company, next);
      expected.push(name, next);
    }
    const run = await startListening(machine, ...args, '--since', 'last');
    expect(await namesAt(hook, expected.length)).toEqual(expected);
    await endWith(run, 'SIGINT');
  });

  it('a listener begins at a time or at a cursor, and its receiver may be down', async () => {
    const { company, machine } = await open();
    const first = await machine.json('events');
    await addContacts(company, 'a', 'b');
    const hook = openHook(company);
    const byTime = await startListening(machine, '--forward-to', hook.url, '--since', '10m', ...CREATED);
    expect(byTime.err()).toMatch(/^Events are recorded since \S+Z\.$/m);
    expect(await namesAt(hook, 2)).toEqual(['a', 'b']);
    await endWith(byTime, 'SIGINT');
    const byCursor = await startListening(
      machine,
      '--forward-to',
      'http://127.0.0.1:1/',
      '--since',
      first.next_cursor,
      ...CREATED,
    );
    await waitUntil(async () => byCursor.out().split('nothing listens there').length === 3, { what: 'two lines' });
    expect(byCursor.err()).toMatch(/parley events resend evt_\w+ --to/);
    await endWith(byCursor, 'SIGINT');
    expect(await machine.run('listen', '--since', 'damaged-cursor')).toMatchObject({
      code: 1,
      err: expect.stringContaining('cursor'),
    });
  });

  it('a listener ends with 3 when its key is revoked, and with 1 for somebody who is no admin', async () => {
    const { company, machine } = await open();
    const route = `/employees/${company.owner.id}/api_keys`;
    const { body: key } = await succeeded(operate(stack, 'POST', route, { name: 'listener' }));
    const run = await startListening(withKey(machine, key.api_key));
    await succeeded(operate(stack, 'DELETE', `/api_keys/${key.id}`));
    expect(await run.ended).toMatchObject({ code: 3, err: expect.stringContaining('parley login') });
    const email = `mia.${company.id}@example.com`;
    const { body: mia } = await succeeded(company.call('POST', '/employees', { name: 'Mia', email }));
    const { body: member } = await succeeded(operate(stack, 'POST', `/employees/${mia.id}/api_keys`, { name: 'x' }));
    expect((await withKey(machine, member.api_key).run('listen')).code).toBe(1);
  });

  it.each([
    ['--forward-to', 'localhost:3000'],
    ['--since', 'yesterday'],
    ['--events', 'call ended'],
    ['--secret', 'whsec_YWFh'],
    ['--forward-to', 'http://127.0.0.1:1/', '--secret', 'password'],
  ])('a listener is wrong usage with %s %s', async (...args) => {
    const machine = withKey(await openCommandLine(), 'pk_1');
    const { code, err } = await machine.run('listen', ...args.filter((arg) => typeof arg === 'string'));
    expect([code, err]).toEqual([2, expect.not.stringContaining('password')]);
  });
});

/** Waits until a later run would go on behind so many contacts. */
async function positionBehind(machine: CommandLine, company: Company, count: number): Promise<void> {
  const file = path.join(machine.configFolder, 'profiles/default.positions.json');
  const { body } = await succeeded(company.call('GET', `/events?types=contact.created&limit=${count}`));
  await waitUntil(async () => (await readFile(file, 'utf8')).includes(body.next_cursor), { what: 'a position' });
}
