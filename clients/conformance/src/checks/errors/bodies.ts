import { expect, expectThat } from '../../expectations/expect.ts';
import { exactly, someText } from '../../expectations/shapes.ts';
import { freshPhone, freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';

const { must } = checksOf('errors');
const BODIES = { source: 'decisions.md: Bodies and statuses', profile: 'api' } as const;

export const bodyChecks: readonly Check[] = [
  must(30, 'A refused field is in `errors`, with a sentence in `error`.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    const body = { phone: freshPhone(), email: 'nobody' };
    const { error, errors } = await company.post('/contacts', body).isRefused(422, { field: 'email' });
    expect(error, someText, '`error`');
    expect(Object.keys(errors), ['email'], 'the fields that `errors` names');
  }),

  must(31, 'A field inside a list is named with its place.', { ...BODIES, profile: 'full' }, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.number();
    const option = { digit: '1', action_type: 'PlayMessageConfig', prompt: 'Hello' };
    const path = `/business_numbers/${id}/incoming_call_config`;
    const menu = (...options: readonly object[]) => ({
      type: 'PhoneMenuConfig',
      welcome: 'Hello',
      menu_options: options,
    });
    await company.put(path, menu(option, option)).isRefused(422, { field: 'menu_options[1].digit' });
    await company
      .put(path, menu(option, { ...option, digit: '2', prompt: '' }))
      .isRefused(422, { field: 'menu_options[1].prompt' });
  }),

  must(32, 'What is not found says so and nothing else.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    for (const path of [`/contacts/con_${freshWord()}`, `/calls/cal_${freshWord()}`, '/nothing'])
      await company.get(path).gives(404, exactly({ error: 'not_found' }));
  }),

  must(33, 'Errors are JSON, whatever was asked for.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    const json = { 'content-type': /^application\/json\b/ };
    const html = { Accept: 'text/html' };
    await company.get(`/contacts/con_${freshWord()}`, html).givesHeaders(404, json);
    await company.get('/nothing', html).givesHeaders(404, json);
    await company.delete('/contacts', html).givesHeaders(405, json);
    await company.post('/contacts', {}, html).givesHeaders(422, json);
    await company.withHeaders(html).get('/company').givesHeaders(401, json);
  }),

  must(34, 'An object where a text belongs never reaches a query.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    const phone = freshPhone();
    const { id } = await company.post('/contacts', { phone, name: 'Birgit' }).gives(201);
    for (const value of [{ $ne: null }, { $gt: '' }, { $regex: '.*' }, [phone], { toString: 'x' }]) {
      await company.post('/contacts', { phone: value }).isRefused(422, { field: 'phone' });
      await company.patch(`/contacts/${id}`, { phone: value }).isRefused(422, { field: 'phone' });
    }
    for (const query of ['phone[$ne]=x', 'phone[]=x', 'phone[$regex]=.*']) {
      const { status, text } = await company.get(`/contacts?${query}`);
      expectThat([200, 400, 422].includes(status), `GET /contacts?${query} was answered with ${status} ${text}`);
    }
    await company.get(`/contacts/${id}`).gives(200, { phone, name: 'Birgit' });
  }),

  must(35, 'A body that is no object is refused, and breaks nothing.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    for (const body of ['[]', '"text"', 'null', '17', 'true', '[{"phone":"+4520304050"}]']) {
      const {
        status,
        text,
        body: answer,
      } = await company.post('/contacts', body, { 'Content-Type': 'application/json' });
      expectThat([400, 422].includes(status), `the body ${body} was answered with ${status} ${text}`);
      expectThat(typeof answer?.error === 'string', `the body ${body} was answered without \`error\`: ${text}`);
    }
  }),

  must(36, 'Hostile keys in a body change nothing but what they name.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    const phone = freshPhone();
    const body = `{"phone":"${phone}","__proto__":{"name":"Eve"},"constructor":{"prototype":{"name":"Eve"}},"$set":{"name":"Eve"},"company_id":"com_other"}`;
    const { id } = await company.post('/contacts', body, { 'Content-Type': 'application/json' }).gives(201);
    const contact = await company.get(`/contacts/${id}`).gives(200, { phone });
    expectThat(contact.name !== 'Eve', 'the name was taken from another key');
  }),

  must(37, 'No error shows what the server is made of.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    for (const reply of [
      await company.get('/contacts/%00'),
      await company.get('/contacts/%E0%A4%A'),
      await company.get(`/contacts?phone=${'9'.repeat(5000)}`),
      await company.get('/inbox?cursor=%00%ff'),
      await company.get('/calls?limit=9999999999999999999999'),
      await company.post('/contacts', `{"phone":"\\ud800","name":"\\u0000"}`, { 'Content-Type': 'application/json' }),
      await company.post('/contacts', { phone: '+'.repeat(10_000) }),
    ]) {
      expectThat(reply.status < 500, `${reply.request.slice(0, 200)} was answered with ${reply.status} ${reply.text}`);
      expectThat(
        !/\bat .+:\d+:\d+|node_modules|Mongo|E11000|TypeError|ECONN/.test(reply.text),
        `${reply.request.slice(0, 200)} was answered with ${reply.text}`,
      );
    }
  }),
];
