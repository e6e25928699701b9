import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { type Company, createTestCompany, type Reply, send, sharedStack, succeeded } from '../support/api.ts';

let company: Company;
let other: Company;

beforeAll(async () => {
  [company, other] = await Promise.all([createTestCompany(), createTestCompany(undefined, { country: 'US' })]);
});

describe('a contact', () => {
  it('a contact is created with its number normalised, and read back as it was answered', async () => {
    const created = await company.call('POST', '/contacts', {
      phone: ' +45 (20) 30-40.50 ',
      name: 'Ane',
      email: 'ane@example.dk',
      company_name: 'Ane & Co',
      note: 'Calls on Mondays',
    });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^con_/),
      name: 'Ane',
      email: 'ane@example.dk',
      phone: '+4520304050',
      phone_formatted: '+45 20 30 40 50',
      company_name: 'Ane & Co',
      note: 'Calls on Mondays',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: created.body.created_at,
    });
    expect((await company.call('GET', `/contacts/${created.body.id}`)).body).toEqual(created.body);
  });

  it.each([
    ['DK', '20 30 40 51', '+4520304051'],
    ['DK', '0045 20304052', '+4520304052'],
    ['US', '(415) 555-0101', '+14155550101'],
    ['US', '+45 20 30 40 53', '+4520304053'],
  ])('in a company in %s, %s is read as %s', async (country, written, phone) => {
    const where = country === 'DK' ? company : other;
    const created = await where.call('POST', '/contacts', { phone: written });
    expect([created.status, created.body.phone]).toEqual([201, phone]);
  });

  it.each([
    ['no phone', {}, 'phone'],
    ['null as phone', { phone: null }, 'phone'],
    ['a number as phone', { phone: 4520304050 }, 'phone'],
    ['an object as phone', { phone: { $ne: null } }, 'phone'],
    ['a list as phone', { phone: ['+4520304050'] }, 'phone'],
    ['a blank phone', { phone: '  ' }, 'phone'],
    ['letters', { phone: '+45 CALL ME' }, 'phone'],
    ['too few digits', { phone: '+4512' }, 'phone'],
    ['an unknown country', { phone: '+9990123456789' }, 'phone'],
    ['a wrong e-mail', { phone: '+4520304099', email: 'nobody' }, 'email'],
    ['a long note', { phone: '+4520304099', note: 'x'.repeat(10_001) }, 'note'],
    ['an object as name', { phone: '+4520304099', name: { a: 1 } }, 'name'],
    ['a NUL character', { phone: '+4520304099', name: 'a\u0000b' }, 'name'],
    ['half a surrogate pair', { phone: '+4520304099', name: '\ud800' }, 'name'],
  ])('a contact is refused with %s, naming the field', async (_case, body, field) => {
    const reply = await company.call('POST', '/contacts', body);
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual({
      error: expect.any(String),
      code: 'validation_failed',
      errors: expect.objectContaining({ [field]: [expect.any(String)] }),
    });
  });

  it('a contact may have a note of exactly 10,000 characters, counted as people count', async () => {
    const reply = await company.call('POST', '/contacts', { phone: '+4520304060', note: '🙂'.repeat(10_000) });
    expect([reply.status, [...reply.body.note].length]).toEqual([201, 10_000]);
  });

  it('a contact keeps what a change leaves out, clears what is null, and ignores unknown fields', async () => {
    const { body: contact } = await company.call('POST', '/contacts', {
      phone: '+4520304061',
      name: 'Bo',
      note: 'old',
    });
    const changed = await company.call('PATCH', `/contacts/${contact.id}`, {
      note: null,
      email: 'bo@example.dk',
      id: 'con_other',
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      id: contact.id,
      name: 'Bo',
      note: null,
      email: 'bo@example.dk',
      phone: '+4520304061',
    });
    expect(Date.parse(changed.body.updated_at)).toBeGreaterThan(Date.parse(contact.updated_at));
  });

  it('a contact is unique by number in its company, however it is written, and free in another', async () => {
    await company.call('POST', '/contacts', { phone: '+4520304062' });
    const again = await company.call('POST', '/contacts', { phone: '20304062' });
    expect([again.status, again.body.errors]).toEqual([422, { phone: ['has already been taken'] }]);
    expect((await other.call('POST', '/contacts', { phone: '+4520304062' })).status).toBe(201);
    const { body: third } = await company.call('POST', '/contacts', { phone: '+4520304063' });
    expect((await company.call('PATCH', `/contacts/${third.id}`, { phone: '+4520304062' })).status).toBe(422);
  });

  it('a contact exists once after fifty parallel creates of the same number', async () => {
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => company.call('POST', '/contacts', { phone: '+4520304064' })),
    );
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 49 }, () => 422)]);
  });

  it('a contact can be created again after it was deleted', async () => {
    const { body: contact } = await company.call('POST', '/contacts', { phone: '+4520304065' });
    const gone = await company.call('DELETE', `/contacts/${contact.id}`);
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect((await company.call('GET', `/contacts/${contact.id}`)).status).toBe(404);
    expect((await company.call('DELETE', `/contacts/${contact.id}`)).status).toBe(404);
    expect((await company.call('POST', '/contacts', { phone: '+4520304065' })).status).toBe(201);
  });

  it('a contact of another company has the same response as one that does not exist', async () => {
    const { body: contact } = await company.call('POST', '/contacts', { phone: '+4520304066' });
    for (const [method, body] of [['GET'], ['PATCH', { name: 'Mine' }], ['DELETE']] as const) {
      const foreign = await other.call(method, `/contacts/${contact.id}`, body);
      const unknown = await other.call(method, `/contacts/con_${'0'.repeat(32)}`, body);
      expect([foreign.status, foreign.text]).toEqual([404, '{"error":"not_found"}']);
      expect(unknown.text).toBe(foreign.text);
    }
    expect((await company.call('GET', `/contacts/${contact.id}`)).status).toBe(200);
  });
});

describe('the list of contacts', () => {
  it('the list of contacts is a bare array, newest first', async () => {
    const fresh = await createTestCompany();
    expect((await fresh.call('GET', '/contacts')).body).toEqual([]);
    for (const phone of ['+4520304001', '+4520304002', '+4520304003']) await fresh.call('POST', '/contacts', { phone });
    const { body } = await fresh.call('GET', '/contacts');
    expect(body.map(({ phone }: { phone: string }) => phone)).toEqual(['+4520304003', '+4520304002', '+4520304001']);
  });

  it('the list of contacts is read page by page along the Link header, and in no other case has one', async () => {
    const fresh = await createTestCompany();
    for (const phone of ['+4520304001', '+4520304002', '+4520304003'])
      await fresh.call('POST', '/contacts', { phone, name: 'Ane & Bo' });
    const whole = await fresh.call('GET', '/contacts');
    expect(whole.headers.get('link')).toBeNull();
    const read: unknown[] = [];
    let next: string | undefined = `/contacts?limit=2&query=${encodeURIComponent('ane & bo')}`;
    for (let pages = 0; next !== undefined && pages < 3; pages++) {
      const { body, headers }: Reply = await fresh.call('GET', next);
      read.push(...body);
      next = /^<\/api\/v1(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    expect([read, next]).toEqual([whole.body, undefined]);
    for (const [query, field] of [
      ['limit=many', 'limit'],
      ['cursor=forged', 'cursor'],
    ] as const) {
      const { status, body } = await fresh.call('GET', `/contacts?${query}`);
      expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
    }
  });

  it('the list of contacts with phones has the contacts of several numbers', async () => {
    const { body } = await company.call('GET', '/contacts?phones=%2B4520304050,%2B4511111111');
    expect(body.map(({ phone }: { phone: string }) => phone)).toEqual(['+4520304050']);
  });

  it.each([
    ['20 30 40 50', 1],
    ['+4520304050', 1],
    ['+4511111111', 0],
    ['not a number', 0],
  ])('the list of contacts with phone=%j finds %i', async (phone, count) => {
    const { status, body } = await company.call('GET', `/contacts?phone=${encodeURIComponent(phone)}`);
    expect([status, body.length]).toEqual([200, count]);
  });

  it.each([
    '',
    '%20',
    '%09%0A%0D',
    '%00',
    '20304050%00',
    '%00%2B4520304050',
    '%01%02%1F%7F',
    '%2B45%0720304050',
    '%C2%85%E2%80%A8',
    '%E2%80%8B%EF%BB%BF',
    '%',
    '%ff%fe',
    '%ED%A0%80',
    '%F0%9F%93%9E',
    '%7B%22%24ne%22%3A%22%22%7D',
    '%2B',
    '%2B%2B4520304050',
    '%2B45'.padEnd(8000, '2'),
    '%00'.repeat(2000),
    '%EF%B7%BA'.repeat(800),
  ])('the list of contacts finds nothing by what can be no phone number (%#)', async (phone) => {
    const { status, text } = await company.call('GET', `/contacts?phone=${phone}`);
    expect([status, text]).toEqual([200, '[]']);
  });

  it('the list of contacts refuses a phone that is given twice or as an object', async () => {
    for (const query of ['phone=1&phone=2', 'phone[$ne]=1']) {
      const reply = await company.call('GET', `/contacts?${query}`);
      expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, ['phone']]);
    }
  });
});

describe('the public API', () => {
  const { base_url: base } = sharedStack();

  it('the public API requires credentials', async () => {
    const missing = await send('GET', `${base}/api/v1/contacts`);
    expect([missing.status, missing.body]).toEqual([401, { error: 'Missing credentials' }]);
    expect(missing.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    const wrong = await send('GET', `${base}/api/v1/contacts`, { headers: { 'X-Api-Key': `pk_${'x'.repeat(43)}` } });
    expect([wrong.status, wrong.body]).toEqual([401, { error: 'Invalid API key' }]);
  });

  it('the public API answers hostile bodies clearly', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const cases: [string, Record<string, string>, number, string][] = [
      ['{"phone":', headers, 400, 'invalid_json'],
      [JSON.stringify({ phone: '+4520304050', note: 'x'.repeat(1 << 20) }), headers, 413, 'payload_too_large'],
      ['<contact/>', { 'Content-Type': 'text/xml' }, 415, 'unsupported_media_type'],
    ];
    for (const [body, extra, status, error] of cases) {
      const reply = await company.call('POST', '/contacts', body, extra);
      expect([reply.status, reply.body.error]).toEqual([status, error]);
      expect(reply.headers.get('x-request-id')).toEqual(expect.any(String));
    }
  });

  it('the public API keeps a sane request id and replaces any other', async () => {
    const own = await company.call('GET', '/contacts', undefined, { 'X-Request-Id': 'abc-123' });
    expect(own.headers.get('x-request-id')).toBe('abc-123');
    const odd = await company.call('GET', '/contacts', undefined, { 'X-Request-Id': 'a b<c>' });
    expect(odd.headers.get('x-request-id')).not.toBe('a b<c>');
  });

  it('the public API lists the methods of a path, and has no other paths', async () => {
    const wrong = await company.call('PUT', '/contacts');
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, expect.stringContaining('POST')]);
    expect((await company.call('GET', '/nonsense')).status).toBe(404);
  });

  it('the public API describes itself', async () => {
    const { body } = await send('GET', `${base}/openapi.json`);
    expect(body.openapi).toMatch(/^3\.1/);
    expect(Object.keys(body.paths)).toContain('/api/v1/contacts/{id}');
    const page = await send('GET', `${base}/docs`);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('/contacts')]);
  });

  it('the public API does not serve the operator API', async () => {
    const reply = await send('POST', `${base}/operator/v1/companies`, { body: {} });
    expect(reply.status).toBe(404);
  });
});

describe('an import of contacts', () => {
  const csv = { 'Content-Type': 'text/csv; charset=utf-8' };
  const whenDone = (own: Company, id: string) =>
    waitUntil(
      async () => {
        const { body } = await succeeded(own.call('GET', `/contacts/imports/${id}`));
        return body.state === 'done' && body;
      },
      { what: 'the end of the import', timeoutMs: 100_000 },
    );

  it('an import of contacts takes what an export has written, and names the lines it refuses', async () => {
    const [from, to] = await Promise.all([createTestCompany(), createTestCompany()]);
    const given = [
      { phone: '+4520304050', name: '=SUM(A1)', note: 'two\r\n=lines; -1, "quoted"' },
      { phone: '+4520304051', name: "'-1", email: 'bo@example.com', company_name: 'Bo;@Co' },
      { phone: '+4520304052', name: '\uff1dBo' },
    ];
    for (const contact of given) await succeeded(from.call('POST', '/contacts', contact));
    const { text } = await succeeded(from.call('GET', '/contacts/export.csv'));
    await succeeded(to.call('POST', '/contacts', { phone: '+4520304050', name: 'Before', email: 'a@example.com' }));
    const imported = await to.call('POST', '/contacts/imports', `${text}x,nobody\r\n`, csv);
    expect(imported).toMatchObject({ status: 202, body: { id: expect.any(String), lines: 4 } });
    expect(await whenDone(to, imported.body.id)).toMatchObject({
      created: 2,
      updated: 1,
      refused: [{ line: 6, error: 'phone is required' }],
    });
    const fields = ({ phone, name, email, company_name, note }: Record<string, unknown>) => {
      return { phone, name, email, company_name, note };
    };
    const listed = async (own: Company): Promise<object[]> =>
      (await own.call('GET', '/contacts')).body.map(fields).sort(byPhone);
    const byPhone = (one: { phone: string }, another: { phone: string }) => one.phone.localeCompare(another.phone);
    expect(await listed(to)).toEqual(await listed(from));
    expect((await from.call('GET', `/contacts/imports/${imported.body.id}`)).status).toBe(404);
  }, 200_000);

  it('an import of contacts is refused completely when it is no such file', async () => {
    const send = (body: string | Uint8Array, headers: Record<string, string> = csv) =>
      company.call('POST', '/contacts/imports', body, headers);
    expect((await send('phone\n1\n', { 'Content-Type': 'application/json' })).status).toBe(415);
    for (const body of ['name\nx\n', 'phone\n"1\n', 'phone\n1\0\n', Buffer.from([0xff, 0xfe, 0x70])])
      expect(await send(body)).toMatchObject({ status: 422, body: { errors: { body: [expect.any(String)] } } });
    expect((await send(`phone\n${'1'.repeat(17 * 1024 * 1024)}`)).status).toBe(413);
  });
});
