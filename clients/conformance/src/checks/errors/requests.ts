import { expect, expectThat } from '../../expectations/expect.ts';
import { freshPhone, freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';

const { must, should } = checksOf('errors');
const BODIES = { source: 'decisions.md: Bodies and statuses', profile: 'api' } as const;
const JSON_TYPE = { 'Content-Type': 'application/json' };
const COLLECTIONS = ['/contacts', '/employees', '/calls', '/voicemails', '/business_numbers'];
const MEBIBYTE = 1024 * 1024;

/** A contact that is as long as this. */
function contactOf(bytes: number): string {
  const start = JSON.stringify({ phone: freshPhone(), padding: '' });
  return start.replace('""', `"${'x'.repeat(bytes - start.length)}"`);
}

export const requestChecks: readonly Check[] = [
  must(1, 'Malformed JSON is answered with 400 `invalid_json`.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    for (const body of ['{', '{"phone": "+4520304050"', "{'phone': 1}", 'phone=1', '{"phone":}', '{} {}'])
      await company.post('/contacts', body, JSON_TYPE).isRefused(400, { error: 'invalid_json' });
    await company.patch('/company', '{', JSON_TYPE).isRefused(400, { error: 'invalid_json' });
  }),

  must(2, 'A body of more than 1 MiB is answered with 413.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    for (const bytes of [MEBIBYTE + 1, 2 * MEBIBYTE])
      await company.post('/contacts', contactOf(bytes), JSON_TYPE).isRefused(413, { error: 'payload_too_large' });
  }),

  must(3, 'A body of 1 MiB is accepted.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    await company.post('/contacts', contactOf(MEBIBYTE), JSON_TYPE).gives(201);
  }),

  must(4, 'A body that is neither JSON nor a form is answered with 415.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    const body = JSON.stringify({ phone: freshPhone() });
    for (const type of ['text/plain', 'application/xml', 'application/octet-stream', 'text/html; charset=utf-8'])
      await company
        .post('/contacts', body, { 'Content-Type': type })
        .isRefused(415, { error: 'unsupported_media_type' });
  }),

  must(5, 'JSON may be sent with a charset.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    const body = { phone: freshPhone(), name: 'Åse Østergård' };
    await company
      .post('/contacts', JSON.stringify(body), { 'Content-Type': 'application/json; charset=utf-8' })
      .gives(201, body);
  }),

  must(
    6,
    'A method that a path does not have is answered with 405 and those that it has.',
    BODIES,
    async ({ companies }) => {
      const company = await companies.shared();
      for (const [method, path, allowed] of [
        ['DELETE', '/contacts', ['GET', 'POST']],
        ['PUT', '/company', ['GET', 'PATCH']],
        ['POST', `/employees/emp_${freshWord()}`, ['GET', 'PATCH', 'DELETE']],
        ['PATCH', '/voicemails', ['GET']],
        ['POST', `/employees/emp_${freshWord()}/do_not_disturb`, ['GET', 'PUT']],
      ] as const) {
        const { headers, body } = await company.send(method, path).givesHeaders(405, { allow: /\w/ });
        const names = headers
          .get('allow')!
          .split(',')
          .map((name) => name.trim());
        for (const name of allowed) expectThat(names.includes(name), `Allow of ${path} has no ${name}: ${names}`);
        expectThat(!names.includes(method), `Allow of ${path} has ${method}: ${names}`);
        expectThat(typeof body?.error === 'string', 'the body has no text `error`');
      }
    },
  ),

  must(7, 'An unknown path is answered with 404.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    for (const path of ['/nothing', '/contacts/con_1/nothing', '/companies', '/'])
      for (const method of ['GET', 'POST']) await company.send(method, path).isNotFound();
  }),

  must(8, 'Every answer has an id of its own.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    const nobody = company.withHeaders({});
    const replies = [
      await company.get('/company'),
      await company.get('/company'),
      await company.get(`/contacts/con_${freshWord()}`),
      await company.post('/contacts', '{', JSON_TYPE),
      await company.delete('/contacts'),
      await company.get('/nothing'),
      await nobody.get('/company'),
    ];
    const ids = replies.map(({ headers }) => headers.get('x-request-id'));
    for (const [index, id] of ids.entries())
      expectThat(id !== null && id !== '', `the answer to ${replies[index]!.request} has no X-Request-Id`);
    expect(new Set(ids).size, ids.length, 'the number of different ids');
  }),

  must(9, "The caller's own id is kept.", BODIES, async ({ companies }) => {
    const company = await companies.shared();
    const id = `mine-${freshWord()}`;
    await company.get('/company', { 'X-Request-Id': id }).givesHeaders(200, { 'x-request-id': id });
    await company.get('/nothing', { 'X-Request-Id': id }).givesHeaders(404, { 'x-request-id': id });
  }),

  should(10, 'An id that is not sane is not repeated.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    for (const id of ['x'.repeat(4000), '<script>alert(1)</script>']) {
      const { headers } = await company.get('/company', { 'X-Request-Id': id });
      expectThat(headers.get('x-request-id') !== id, 'the id is repeated');
      expectThat(headers.get('x-request-id') !== null, 'there is no X-Request-Id');
    }
  }),

  must(11, 'An id that is none is unknown, whatever it consists of.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    for (const id of [
      'x',
      '1',
      '%7B%22%24ne%22%3Anull%7D',
      '%27%20OR%201%3D1',
      '%00',
      'a'.repeat(2000),
      '%F0%9F%99%82',
      '[object%20Object]',
    ])
      await Promise.all(COLLECTIONS.map((path) => company.get(`${path}/${id}`).isNotFound()));
  }),
];
