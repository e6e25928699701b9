import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OwnNats, ownNats, waitUntil } from '@parley/testkit';
import { startSandbox, type TestSandbox } from './start-sandbox.ts';

let nats: OwnNats;
let sandbox: TestSandbox;
beforeAll(async () => {
  nats = await ownNats();
  sandbox = await startSandbox(nats);
});
afterAll(async () => {
  await sandbox?.stop();
  await nats?.close();
});

describe('the webhook receiver', () => {
  const statusesOf = async (path: string, count: number) => {
    const statuses: number[] = [];
    for (let sent = 0; sent < count; sent += 1) statuses.push((await sandbox.ask('POST', path, { sent })).status);
    return statuses;
  };

  it('the webhook receiver takes everything with 200 and shows it in order of arrival', async () => {
    expect((await sandbox.ask('GET', '/hooks/orders')).body).toEqual([]);
    expect(await statusesOf('/hooks/orders', 2)).toEqual([200, 200]);
    const { status, body } = await sandbox.ask('GET', '/hooks/orders');
    expect(status).toBe(200);
    expect(body).toEqual(
      [0, 1].map((sent) => ({
        received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        headers: expect.objectContaining({ 'content-type': 'application/json' }),
        body: { sent },
        raw_body: `{"sent":${sent}}`,
        answered: 200,
      })),
    );
  });

  it('the webhook receiver lists its names with the number of requests', async () => {
    await statusesOf('/hooks/parcels', 3);
    expect((await sandbox.ask('GET', '/hooks')).body).toContainEqual({ name: 'parcels', received: 3 });
  });

  it('the webhook receiver responds with the configured responses in order, repeating the last one', async () => {
    expect((await sandbox.ask('PUT', '/hooks/retried', { responses: [500, 503, 200] })).status).toBe(200);
    expect(await statusesOf('/hooks/retried', 4)).toEqual([500, 503, 200, 200]);
    const { body } = await sandbox.ask('GET', '/hooks/retried');
    expect(body.map((entry: { answered: number }) => entry.answered)).toEqual([500, 503, 200, 200]);
  });

  it('the webhook receiver answers with headers and bodies', async () => {
    const responses = [
      { status: 302, headers: { location: '/hooks/elsewhere' } },
      { status: 503, headers: { 'Retry-After': '120' }, body: { wait: true } },
      { status: 410, body: 'gone' },
    ];
    await sandbox.ask('PUT', '/hooks/odd', { responses });
    const redirect = await sandbox.ask('POST', '/hooks/odd', {});
    expect([redirect.status, redirect.headers.get('location')]).toEqual([302, '/hooks/elsewhere']);
    const busy = await sandbox.ask('POST', '/hooks/odd', {});
    expect([busy.status, busy.headers.get('retry-after'), busy.body]).toEqual([503, '120', { wait: true }]);
    expect(await sandbox.ask('POST', '/hooks/odd', {})).toMatchObject({ status: 410, body: 'gone' });
    expect((await sandbox.ask('GET', '/hooks/elsewhere')).body).toEqual([]);
  });

  it('the webhook receiver shows a request as unanswered while its sender waits, and forever if the sender disconnects', async () => {
    await sandbox.ask('PUT', '/hooks/slow', { responses: [204], delay_ms: 1000 });
    const waiting = sandbox.ask('POST', '/hooks/slow', { n: 1 });
    const listed = async () => (await sandbox.ask('GET', '/hooks/slow')).body;
    const [first] = await waitUntil(async () => (await listed())[0] && listed(), { what: 'the request' });
    expect(first).toMatchObject({ body: { n: 1 }, answered: null });
    expect((await waiting).status).toBe(204);
    expect(await listed()).toMatchObject([{ answered: 204 }]);

    const leaving = new AbortController();
    const left = fetch(`${sandbox.url}/hooks/slow`, { method: 'POST', body: 'x', signal: leaving.signal });
    await waitUntil(async () => (await listed()).length === 2, { what: 'the second request' });
    leaving.abort();
    await expect(left).rejects.toThrow();
    // A third one that is answered proves that the second one's time has come and gone.
    expect((await sandbox.ask('POST', '/hooks/slow', {})).status).toBe(204);
    expect(await listed()).toMatchObject([{ answered: 204 }, { answered: null }, { answered: 204 }]);
  });

  it.each([
    { raw: 'not json', body: null },
    { raw: '', body: null },
    { raw: '"text"', body: 'text' },
    { raw: '{"emoji":"é🙂","nul":"\\u0000"}', body: { emoji: 'é🙂', nul: '\0' } },
  ])('the webhook receiver keeps the body $raw as it came', async ({ raw, body }) => {
    await sandbox.ask('DELETE', '/hooks/raw');
    await sandbox.ask('POST', '/hooks/raw', raw, { 'x-any': 'a, b' });
    expect((await sandbox.ask('GET', '/hooks/raw')).body).toMatchObject([
      { body, raw_body: raw, headers: { 'x-any': 'a, b' } },
    ]);
  });

  it('the webhook receiver takes a body of 5 MiB and refuses one of 9 MiB', async () => {
    const text = 'x'.repeat(5 * 1024 * 1024);
    expect((await sandbox.ask('POST', '/hooks/large', text)).status).toBe(200);
    const refused = await sandbox.ask('POST', '/hooks/large', 'x'.repeat(9 * 1024 * 1024));
    expect(refused).toMatchObject({ status: 413, body: { error: 'payload_too_large' } });
    const { body } = await sandbox.ask('GET', '/hooks/large');
    expect(body.map((entry: { raw_body: string }) => entry.raw_body.length)).toEqual([text.length]);
  });

  it('the webhook receiver removes requests and responses', async () => {
    await sandbox.ask('PUT', '/hooks/gone', { responses: [500] });
    expect(await statusesOf('/hooks/gone', 1)).toEqual([500]);
    expect(await sandbox.ask('DELETE', '/hooks/gone')).toMatchObject({ status: 204, body: '' });
    expect((await sandbox.ask('GET', '/hooks/gone')).body).toEqual([]);
    expect(await statusesOf('/hooks/gone', 1)).toEqual([200]);
  });

  it('the webhook receiver refuses an answer it could not give', async () => {
    const { status, body } = await sandbox.ask('PUT', '/hooks/bad', { responses: [200, 700] });
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'validation_failed', errors: { 'responses[1]': [expect.any(String)] } });
  });
});

describe('the fault switches', () => {
  const allWell = { sms_submit: 'ok', code: null, switch: 'up', speech: 'ok', integrations: 'ok' };

  it('the fault switches are set one by one and put back together', async () => {
    await sandbox.ask('PUT', '/faults', { sms_submit: 'reject', code: '40310' });
    const changed = await sandbox.ask('PUT', '/faults', { switch: 'down', speech: 'slow', integrations: 'fail' });
    const broken = { sms_submit: 'reject', code: '40310', switch: 'down', speech: 'slow', integrations: 'fail' };
    expect(changed).toMatchObject({ status: 200, body: broken });
    expect((await sandbox.ask('GET', '/faults')).body).toEqual(broken);
    expect((await sandbox.ask('DELETE', '/faults')).status).toBe(204);
    expect((await sandbox.ask('GET', '/faults')).body).toEqual(allWell);
  });

  it('the fault switches refuse a fault that does not exist and change nothing', async () => {
    const { status, body } = await sandbox.ask('PUT', '/faults', { switch: 'down', speech: 'loud' });
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'validation_failed', errors: { speech: ['must be one of ok, fail, slow'] } });
    expect((await sandbox.ask('GET', '/faults')).body).toEqual(allWell);
  });
});

describe('what is not there', () => {
  it.each([
    ['POST', '/calls'],
    ['GET', '/legs/leg_1'],
    ['PUT', '/phones/emp_1'],
    ['GET', '/messages?to=%2B4512345678'],
    ['GET', '/subscribers/%2B4512345678/legs'],
    ['PUT', '/integrations/crm'],
    ['GET', '/'],
  ])('a request for %s %s answers 404', async (method, path) => {
    expect(await sandbox.ask(method, path)).toMatchObject({ status: 404, body: { error: 'not_found' } });
  });

  it('a method that a path does not have answers 405', async () => {
    const { status, headers } = await sandbox.ask('POST', '/faults', {});
    expect([status, headers.get('allow')]).toEqual([405, 'DELETE, GET, HEAD, PUT']);
  });
});

it('the sandbox stops at once although a sender still waits, and its port is free again', async () => {
  const own = await startSandbox(nats);
  await own.ask('PUT', '/hooks/slow', { delay_ms: 600_000 });
  const cut = expect(fetch(`${own.url}/hooks/slow`, { method: 'POST', body: 'x' })).rejects.toThrow();
  await waitUntil(async () => (await own.ask('GET', '/hooks/slow')).body.length === 1, { what: 'the request' });
  const before = performance.now();
  await own.stop();
  // Requests in flight would have eight seconds.
  expect(performance.now() - before).toBeLessThan(7000);
  await cut;
  await expect(fetch(own.url)).rejects.toThrow();
});
