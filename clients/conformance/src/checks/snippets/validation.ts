import { expect } from '../../expectations/expect.ts';
import { type Check, checksOf } from '../check.ts';
import { textingCompany } from './snippet.ts';

const { must, should } = checksOf('snippets');
const FIELDS = { source: 'service-api.md: Text snippet', profile: 'api' } as const;
const ENDPOINTS = { source: 'service-api.md: Inbox and messages', profile: 'api' } as const;
const BODIES = { source: 'decisions.md: Bodies and statuses', profile: 'api' } as const;
const BLANK = ['', ' ', '\t\n ', '\u00a0'];
const SNIPPETS_MAX = 1000;
const AT_ONCE = 20;

export const validationChecks: readonly Check[] = [
  must(20, 'A snippet needs a title.', ENDPOINTS, async (context) => {
    const company = await textingCompany(context);
    for (const body of [{ text: 'Text' }, { text: 'Text', title: null }])
      await company.post('/text_snippets', body).isRefused(422, { field: 'title' });
  }),

  must(21, 'A snippet needs a text.', ENDPOINTS, async (context) => {
    const company = await textingCompany(context);
    for (const body of [{ title: 'Title' }, { title: 'Title', text: null }])
      await company.post('/text_snippets', body).isRefused(422, { field: 'text' });
  }),

  must(22, 'A blank title is refused.', FIELDS, async (context) => {
    const company = await textingCompany(context);
    for (const title of BLANK)
      await company.post('/text_snippets', { title, text: 'Text' }).isRefused(422, { field: 'title' });
  }),

  must(23, 'A blank text is refused.', FIELDS, async (context) => {
    const company = await textingCompany(context);
    for (const text of BLANK)
      await company.post('/text_snippets', { title: 'Title', text }).isRefused(422, { field: 'text' });
  }),

  must(24, 'A title may have 1 to 128 characters.', FIELDS, async (context) => {
    const company = await textingCompany(context);
    for (const title of ['T', 't'.repeat(128)])
      await company.post('/text_snippets', { title, text: 'Text' }).gives(201, { title });
    await company.post('/text_snippets', { title: 't'.repeat(129), text: 'Text' }).isRefused(422, { field: 'title' });
  }),

  must(25, 'A text may have 1 to 10,000 characters.', FIELDS, async (context) => {
    const company = await textingCompany(context);
    for (const text of ['T', 't'.repeat(10_000)])
      await company.post('/text_snippets', { title: 'Title', text }).gives(201, { text });
    await company
      .post('/text_snippets', { title: 'Title', text: 't'.repeat(10_001) })
      .isRefused(422, { field: 'text' });
  }),

  should(26, 'Characters are counted as people count them.', FIELDS, async (context) => {
    const company = await textingCompany(context);
    const [title, text] = ['🙂'.repeat(128), '🙂'.repeat(10_000)];
    await company.post('/text_snippets', { title, text }).gives(201, { title, text });
  }),

  must(27, 'A negative position is refused.', FIELDS, async (context) => {
    const company = await textingCompany(context);
    await company
      .post('/text_snippets', { title: 'Title', text: 'Text', position: -1 })
      .isRefused(422, { field: 'position' });
  }),

  must(28, 'A position that is no integer is refused.', FIELDS, async (context) => {
    const company = await textingCompany(context);
    for (const position of [1.5, 'first', {}, true])
      await company
        .post('/text_snippets', { title: 'Title', text: 'Text', position })
        .isRefused(422, { field: 'position' });
  }),

  must(29, 'A title or text of another type is refused and named.', BODIES, async (context) => {
    const company = await textingCompany(context);
    for (const value of [17, true, ['Title'], { title: 'Title' }]) {
      await company.post('/text_snippets', { title: value, text: 'Text' }).isRefused(422, { field: 'title' });
      await company.post('/text_snippets', { title: 'Title', text: value }).isRefused(422, { field: 'text' });
    }
  }),

  must(
    30,
    'A change of a snippet is validated as a new one is, and changes nothing when it is refused.',
    FIELDS,
    async (context) => {
      const company = await textingCompany(context);
      const sent = { title: 'Title', text: 'Text', position: 2 };
      const { id } = await company.post('/text_snippets', sent).gives(201);
      for (const [field, values] of [
        ['title', [...BLANK, null, 't'.repeat(129), {}]],
        ['text', [...BLANK, null, 't'.repeat(10_001), []]],
        ['position', [-1, 0.5, 'first']],
      ] as const)
        for (const value of values)
          await company.patch(`/text_snippets/${id}`, { [field]: value }).isRefused(422, { field });
      await company.get(`/text_snippets/${id}`).gives(200, sent);
    },
  ),

  must(31, 'All wrong fields of a snippet are named at once.', BODIES, async (context) => {
    const company = await textingCompany(context);
    const body = { title: '', text: ' ', position: -1 };
    const { errors } = await company.post('/text_snippets', body).isRefused(422, { code: 'validation_failed' });
    expect(Object.keys(errors).sort(), ['position', 'text', 'title'], 'the fields that `errors` names');
  }),

  must(
    32,
    'A company has at most 1,000 snippets.',
    { source: 'decisions.md: Limits and versions', profile: 'full' },
    async ({ companies }) => {
      const company = await companies.fresh({ messaging: true });
      const waiting = Array.from({ length: SNIPPETS_MAX }, (_, index) => index).values();
      const work = async () => {
        for (const index of waiting)
          await company.post('/text_snippets', { title: `Snippet ${index}`, text: 'Text' }).gives(201);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      await company
        .post('/text_snippets', { title: 'One more', text: 'Text' })
        .isRefused(422, { code: 'limit_reached' });
      const [first] = await company.get('/text_snippets').gives(200);
      await company.delete(`/text_snippets/${first.id}`).givesNothing();
      await company.post('/text_snippets', { title: 'One more', text: 'Text' }).gives(201);
    },
  ),
];
