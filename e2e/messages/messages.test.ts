import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTestCompany, operate, sandbox, send, sharedStack, succeeded } from '../support/api.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { newIdempotencyKey, startTexting, type Texting } from './texting.ts';

let texting: Texting;
beforeAll(async () => {
  texting = await startTexting();
});

const microseconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

describe('sending a text', () => {
  it('sending a text reaches the provider and is returned with all its fields', async () => {
    const to = texting.customer();
    const key = newIdempotencyKey();
    const reply = await texting.send(
      { to, text: 'Hej med dig', webhook_url: 'https://evil.example' },
      { 'Idempotency-Key': key },
    );
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      id: expect.stringMatching(/^msg_/),
      type: 'message',
      format: 'sms',
      created_at: expect.stringMatching(microseconds),
      business_number_id: texting.number.id,
      business_number_name: 'Support',
      seen_at: null,
      direction: 'outbound',
      from: texting.number.number,
      to,
      text: 'Hej med dig',
      author: { type: 'employee', id: texting.company.owner.id, name: texting.company.owner.name },
      status: 'accepted',
      sms_count: 1,
      encoding: 'gsm7',
      received_at: null,
      delivered_at: null,
      failure_code: null,
      can_retry: false,
    });
    expect(await texting.submitted(to)).toEqual([
      expect.objectContaining({
        from: texting.number.number,
        text: 'Hej med dig',
        status_callback: `${sharedStack().base_url}/webhooks/telnyx/delivery_reports`,
      }),
    ]);
    expect((await texting.message(reply.body.id)).body).toEqual(reply.body);

    const again = await texting.send({ to, text: 'Hej med dig', idempotency_key: key });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(again.body).toEqual(reply.body);
    expect(await texting.submitted(to)).toHaveLength(1);
  });

  it('sending a text reads national numbers and counts parts and encoding', async () => {
    const reply = await texting.send({
      to: '20 30 40 50',
      text: '👋'.repeat(60),
      idempotency_key: newIdempotencyKey(),
    });
    expect(reply.body).toMatchObject({ to: '+4520304050', encoding: 'ucs2', sms_count: 2 });
  });

  it.each([
    ['no key', {}, undefined, 409, 'invalid_idempotency_key'],
    ['an empty key', { idempotency_key: '' }, undefined, 409, 'invalid_idempotency_key'],
    ['a key that is too long', { idempotency_key: 'x'.repeat(129) }, undefined, 409, 'invalid_idempotency_key'],
    ['a key that is no string', { idempotency_key: 7 }, undefined, 409, 'invalid_idempotency_key'],
    ['two keys', { idempotency_key: 'a' }, { 'Idempotency-Key': 'b' }, 409, 'invalid_idempotency_key'],
    ['another format', { format: 'mms', idempotency_key: 'a' }, undefined, 422, 'unsupported_format'],
    [
      'a format and no text',
      { format: 'mms', text: undefined, idempotency_key: 'a' },
      undefined,
      422,
      'unsupported_format',
    ],
    ['no recipient', { to: undefined, idempotency_key: 'a' }, undefined, 422, 'validation_failed'],
    ['a recipient that is none', { to: '12', idempotency_key: 'a' }, undefined, 422, 'validation_failed'],
    ['an object as recipient', { to: { $ne: '' }, idempotency_key: 'a' }, undefined, 422, 'validation_failed'],
    ['a blank text', { text: ' ', idempotency_key: 'a' }, undefined, 422, 'validation_failed'],
    [
      'a text that is too long',
      { text: 'x'.repeat(10_001), idempotency_key: 'a' },
      undefined,
      422,
      'validation_failed',
    ],
  ] as const)('sending a text with %s is refused', async (_name, change, headers, status, code) => {
    const reply = await texting.send({ to: '+4520304050', text: 'Hello', ...change }, headers);
    expect([reply.status, reply.body.code]).toEqual([status, code]);
  });

  it('sending a text with a key that was used for something else is a conflict', async () => {
    const key = newIdempotencyKey();
    const to = texting.customer();
    await texting.send({ to, text: 'Hello', idempotency_key: key });
    for (const change of [{ text: 'Hello!' }, { to: texting.customer() }]) {
      const reply = await texting.send({ to, text: 'Hello', idempotency_key: key, ...change });
      expect([reply.status, reply.body.error]).toEqual([409, 'idempotency_key_conflict']);
    }
  });

  it('sending a text is not found while texting is off, nor for a number of another company', async () => {
    const silent = await createTestCompany(sharedStack(), { messaging_enabled: false });
    const body = { to: '+4520304050', text: 'Hello', idempotency_key: newIdempotencyKey() };
    for (const given of [body, {}, { format: 'mms' }])
      expect((await silent.call('POST', `/business_numbers/${texting.number.id}/messages`, given)).status).toBe(404);
    for (const path of ['/text_snippets', '/messages/msg_1']) expect((await silent.call('GET', path)).status).toBe(404);
    expect((await silent.call('POST', '/text_snippets', {})).status).toBe(404);
    expect((await silent.call('POST', '/messages/msg_1/retries', {})).status).toBe(404);
    const other = await createTestCompany(sharedStack(), { messaging_enabled: true });
    expect((await other.call('POST', `/business_numbers/${texting.number.id}/messages`, body)).status).toBe(404);
  });

  it('sending a text needs a number that can send', async () => {
    const mute = await startTexting(undefined, { numberDetails: { sms: { can_send: false, can_receive: true } } });
    const reply = await mute.send({ to: '+4520304050', text: 'Hello', idempotency_key: newIdempotencyKey() });
    expect([reply.status, reply.body.code]).toEqual([422, 'sending_unavailable']);
  });

  it('sending a text lets exactly 30 of a hundred through at once, with Retry-After for the others', async () => {
    const busy = await startTexting();
    const to = busy.customer();
    const replies = await Promise.all(
      Array.from({ length: 100 }, () => busy.send({ to, text: 'Hello', idempotency_key: newIdempotencyKey() })),
    );
    const refused = replies.filter(({ status }) => status === 429);
    const others = replies
      .filter(({ status }) => status !== 201 && status !== 429)
      .map(({ status, text }) => [status, text]);
    expect(others).toEqual([]);
    expect(refused).toHaveLength(70);
    expect(refused.every(({ headers }) => headers.get('retry-after') === '60')).toBe(true);
    expect(await busy.submitted(to)).toHaveLength(30);
  });
});

describe('when the provider', () => {
  it.each([
    [[{ status: 'delivered' }], { status: 'delivered', delivered_at: expect.any(String) }],
    [[{ status: 'failed', code: '40001' }], { status: 'failed', failure_code: 'telnyx_40001', can_retry: true }],
    [[{ status: 'undelivered' }], { status: 'failed', can_retry: true }],
    [[{ status: 'delivery_unconfirmed' }], { status: 'unknown', can_retry: false }],
    [[{ status: 'delivered' }, { status: 'sent' }, { status: 'failed' }], { status: 'delivered' }],
    [[{ status: 'delivery_unconfirmed' }, { status: 'sent' }, { status: 'delivered' }], { status: 'delivered' }],
  ])('the reports %j of the provider make the text %j', async (reports, expected) => {
    const to = texting.customer();
    const { body } = await texting.send({ to, text: 'Hello', idempotency_key: newIdempotencyKey() });
    const [submitted] = await texting.submitted(to);
    for (const report of [...reports, reports[0]!]) await texting.report(submitted!.provider_id, report);
    expect((await texting.message(body.id)).body).toMatchObject(expected);
  });
});

describe('an incoming text', () => {
  it('an incoming text is stored once, however often its callback is repeated, and delivered to webhooks once', async () => {
    const mine = await startTexting();
    const hook = `/hooks/texts-${mine.company.id}`;
    const url = `${sharedStack().sandbox_url}${hook}`;
    const events = ['message.received', 'message.status_changed'];
    await succeeded(mine.company.call('POST', '/webhooks', { name: 'texts', url, events }));
    const from = mine.customer();
    const first = await mine.receive({ from, text: 'Er I der?' });
    await Promise.all(Array.from({ length: 10 }, () => mine.receive({ provider_id: first.provider_id })));
    const heard = await waitUntil(
      async () => {
        const { body } = await sandbox(sharedStack(), 'GET', hook);
        return body.length > 0 && body;
      },
      { what: 'the webhook' },
    );
    const { message } = heard[0].body.data;
    expect(heard[0].body.event).toBe('message.received');
    expect(message).toMatchObject({
      from,
      to: mine.number.number,
      text: 'Er I der?',
      status: 'received',
      direction: 'inbound',
      author: { type: 'customer' },
      received_at: expect.any(String),
      seen_at: null,
    });
    expect((await mine.message(message.id)).body).toMatchObject({ id: message.id, text: 'Er I der?' });
    expect((await mine.retry(message.id, newIdempotencyKey())).status).toBe(409);
    expect((await sandbox(sharedStack(), 'GET', hook)).body).toHaveLength(1);
  });

  it('an incoming text with an old signature or none is refused', async () => {
    const old = new Date(Date.now() - 6 * 60_000).toISOString();
    expect((await texting.callback({ from: texting.customer(), text: 'Hi', signed_at: old })).callback_status).toBe(
      401,
    );
    for (const path of ['messages', 'delivery_reports', 'sms', 'sms_statuses']) {
      const url = `${sharedStack().base_url}/webhooks/telnyx/${path}`;
      expect((await send('POST', url, { body: { data: {} } })).status).toBe(401);
      expect((await send('GET', url)).status).toBe(405);
    }
  });

  it('an incoming text to an unknown or inactive number is refused, and taken once the number is active', async () => {
    const mine = await startTexting();
    const setActive = (active: boolean) =>
      succeeded(operate(sharedStack(), 'PATCH', `/business_numbers/${mine.number.id}`, { active }));
    expect((await mine.callback({ from: mine.customer(), to: '+4500000000', text: 'Hi' })).callback_status).toBe(404);
    await setActive(false);
    const refused = await mine.callback({ from: mine.customer(), text: 'Hi' });
    expect(refused.callback_status).toBe(404);
    await setActive(true);
    await mine.receive({ provider_id: refused.provider_id });
  });

  it('an incoming text that is a picture message is stored with its text and a note', async () => {
    const from = texting.customer();
    const { callback_status: status } = await texting.callback({ from, text: 'Look', media: [] });
    expect(status).toBe(200);
    const { body } = await texting.company.call('GET', `/inbox/${encodeURIComponent(from)}/activity`);
    expect(body.items.map(({ text }: { text: string }) => text)).toEqual([expect.stringMatching(/^Look\n\n\[.+\]$/)]);
  });

  it('an incoming text with STOP ends texts to that person, START allows them again; each is confirmed', async () => {
    const mine = await startTexting();
    const from = mine.customer();
    await mine.receive({ from, text: 'STOP' });
    const refused = await mine.send({ to: from, text: 'Hello', idempotency_key: newIdempotencyKey() });
    expect([refused.status, refused.body.code]).toEqual([422, 'recipient_opted_out']);
    await waitUntil(async () => (await mine.submitted(from)).length === 1, { what: 'the confirmation' });
    await mine.receive({ from, text: 'start' });
    expect((await mine.send({ to: from, text: 'Hello', idempotency_key: newIdempotencyKey() })).status).toBe(201);
    await waitUntil(async () => (await mine.submitted(from)).length === 3, { what: 'the other confirmation' });
  });
});

describe('a number that the operator releases', () => {
  it('a number that the operator releases takes no calls and texts, stays in the history, and shows its next company nothing', async () => {
    const stack = sharedStack();
    const first = await startTexting();
    const { number } = first;
    const customer = first.customer();
    await first.receive({ from: customer, text: 'Only for the first company' });
    const { body: sent } = await succeeded(
      first.send({ to: customer, text: 'Hello', idempotency_key: newIdempotencyKey() }),
    );
    const activity = (company: Texting['company']) =>
      company.call('GET', `/inbox/${encodeURIComponent(customer)}/activity`);
    const before = await waitUntil(
      async () => {
        const { body } = await succeeded(activity(first.company));
        return body.items.length === 2 && body.items;
      },
      { what: 'both texts' },
    );

    expect((await operate(stack, 'DELETE', `/business_numbers/${number.id}`)).status).toBe(204);
    expect((await operate(stack, 'DELETE', `/business_numbers/${number.id}`)).status).toBe(404);
    expect((await first.company.call('GET', `/business_numbers/${number.id}`)).status).toBe(404);
    expect((await first.company.call('GET', '/business_numbers')).body).toEqual({ main_numbers: [] });
    expect(
      (await first.send({ to: customer, text: 'Still there?', idempotency_key: newIdempotencyKey() })).status,
    ).toBe(404);
    expect((await first.callback({ from: customer, text: 'Anybody?' })).callback_status).toBe(404);
    const { body: dialled } = await succeeded(sandbox(stack, 'POST', '/calls', { from: customer, to: number.number }));
    const leg = await waitUntil(
      async () => {
        const { body } = await sandbox(stack, 'GET', `/legs/${dialled.leg_id}`);
        return body.state === 'ended' && body;
      },
      { what: 'the end of the call' },
    );
    expect(leg).toMatchObject({ call_id: null, heard: [] });
    expect((await succeeded(activity(first.company))).body.items).toEqual(before);
    expect((await first.message(sent.id)).body.business_number_name).toBe('Support');

    const second = await startTexting(stack, { numberDetails: { number: number.number, name: 'New owner' } });
    expect((await succeeded(second.company.call('GET', '/inbox'))).body.threads).toEqual([]);
    expect((await second.message(sent.id)).status).toBe(404);
    expect((await second.callback({ from: customer, text: 'For the second' })).callback_status).toBe(200);
    expect((await succeeded(activity(first.company))).body.items).toEqual(before);
  });
});
