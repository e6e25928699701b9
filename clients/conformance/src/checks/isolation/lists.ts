import { eventually } from '../../expectations/eventually.ts';
import { expectThat } from '../../expectations/expect.ts';
import { freshPhone, freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { two } from './foreign.ts';

const { must } = checksOf('isolation');
const ISOLATED = { source: 'service-api.md: What the service does', profile: 'full' } as const;

const LISTS = [
  '/business_numbers',
  '/employees',
  '/contacts',
  '/voicemails',
  '/calls?limit=50',
  '/inbox?limit=100',
  '/text_snippets',
  '/webhooks',
  '/activity/unseen',
  '/audit_events',
];

export const listChecks: readonly Check[] = [
  must(60, 'No list has anything of another company.', ISOLATED, async (context) => {
    const [company, stranger] = await two(context);
    const word = freshWord();
    const phone = freshPhone();
    const number = await company.number({ name: word });
    const employee = await company.hire({ name: word });
    const { id: contact } = await company.post('/contacts', { phone, name: word }).gives(201);
    const { id: snippet } = await company.post('/text_snippets', { title: word, text: word }).gives(201);
    const webhook = { name: word, url: context.sandbox.receiver().url, events: ['call.ended'] };
    const { id: webhookId } = await company.post('/webhooks', webhook).gives(201);
    await context.sandbox.text(phone, number.number, word);
    await eventually('the text is there', () =>
      company.get(`/inbox/${encodeURIComponent(phone)}/activity`).gives(200, { items: [{ text: word }] }),
    );
    const traces = [word, phone.slice(1), number.id, employee.id, contact, snippet, webhookId, company.id];
    for (const path of LISTS) {
      const { text } = await stranger.get(path);
      for (const trace of traces) expectThat(!text.includes(trace), `GET ${path} of another company has ${trace}`);
    }
  }),

  must(61, 'A company cannot be chosen by a request.', ISOLATED, async (context) => {
    const [company, stranger] = await two(context);
    const headers = { 'X-Company-Id': company.id, 'Company-Id': company.id };
    await stranger.get(`/company?company_id=${company.id}`, headers).gives(200, { id: stranger.id });
    const { id } = await stranger
      .post('/contacts', { phone: freshPhone(), company_id: company.id }, headers)
      .gives(201);
    await company.get(`/contacts/${id}`).isNotFound();
    await stranger.get(`/contacts/${id}`).gives(200);
  }),
];
