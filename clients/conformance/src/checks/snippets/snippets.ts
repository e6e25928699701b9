import { expect, expectThat } from '../../expectations/expect.ts';
import { exactly, integer, listOf, matching, text, timestamp } from '../../expectations/shapes.ts';
import { freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { textingCompany } from './snippet.ts';

const { must } = checksOf('snippets');
const FIELDS = { source: 'service-api.md: Text snippet', profile: 'api' } as const;
const ENDPOINTS = { source: 'service-api.md: Inbox and messages', profile: 'api' } as const;
const FULL = { source: 'service-api.md: Inbox and messages', profile: 'full' } as const;
const SNIPPET = { id: text, title: text, text, position: integer, created_at: timestamp, updated_at: timestamp };

const TEXTING = { messaging: true };
const snippet = (details: object = {}) => ({
  title: `Hours ${freshWord()}`,
  text: 'We are open from 9 to 5.',
  ...details,
});

export const snippetChecks: readonly Check[] = [
  must(1, 'A new snippet is answered with 201 and all its fields.', ENDPOINTS, async (context) => {
    const company = await textingCompany(context);
    const sent = snippet({ position: 3 });
    await company.post('/text_snippets', sent).gives(201, exactly({ ...SNIPPET, ...sent }));
  }),

  must(2, 'A snippet is read as it was answered when it was made.', ENDPOINTS, async (context) => {
    const company = await textingCompany(context);
    const made = await company.post('/text_snippets', snippet()).gives(201);
    await company.get(`/text_snippets/${made.id}`).gives(200, exactly(made));
  }),

  must(3, 'A snippet without a position has the position 0.', FIELDS, async (context) => {
    const company = await textingCompany(context);
    await company.post('/text_snippets', snippet()).gives(201, { position: 0 });
  }),

  must(4, 'The list of snippets is a bare array of whole snippets.', ENDPOINTS, async (context) => {
    const company = await textingCompany(context);
    const made = await company.post('/text_snippets', snippet()).gives(201);
    const listed = await company.get('/text_snippets').gives(200, listOf(SNIPPET));
    expect(
      listed.find(({ id }: { id: string }) => id === made.id),
      made,
      'the snippet in the list',
    );
  }),

  must(
    5,
    'Snippets are listed by position, then in the order in which they were made.',
    FULL,
    async ({ companies }) => {
      const company = await companies.fresh(TEXTING);
      const positions = [5, 0, 2, 0, 5, 1];
      for (const [index, position] of positions.entries())
        await company.post('/text_snippets', { title: `Snippet ${index}`, text: 'Text', position }).gives(201);
      const listed = await company.get('/text_snippets').gives(200);
      const titles = [1, 3, 5, 2, 0, 4].map((index) => `Snippet ${index}`);
      expect(
        listed.map(({ title }: { title: string }) => title),
        titles,
        'the titles in the order of the list',
      );
    },
  ),

  must(6, 'A company without snippets has an empty list.', FULL, async ({ companies }) => {
    const company = await companies.fresh(TEXTING);
    await company.get('/text_snippets').gives(200, []);
  }),

  must(7, 'Every field of a snippet can be changed.', ENDPOINTS, async (context) => {
    const company = await textingCompany(context);
    const { id } = await company.post('/text_snippets', snippet()).gives(201);
    const change = { title: 'Address', text: 'Nørregade 1', position: 7 };
    const changed = await company.patch(`/text_snippets/${id}`, change).gives(200, { ...change, id });
    await company.get(`/text_snippets/${id}`).gives(200, exactly(changed));
  }),

  must(8, 'A change of a snippet keeps what it leaves out.', ENDPOINTS, async (context) => {
    const company = await textingCompany(context);
    const sent = snippet({ position: 4 });
    const { id } = await company.post('/text_snippets', sent).gives(201);
    await company.patch(`/text_snippets/${id}`, { text: 'Closed.' }).gives(200, { ...sent, text: 'Closed.' });
  }),

  must(9, 'A change of a snippet ignores other fields.', ENDPOINTS, async (context) => {
    const company = await textingCompany(context);
    const made = await company.post('/text_snippets', snippet()).gives(201);
    const change = { id: 'other', created_at: '2001-01-01T00:00:00.000Z', colour: 'green' };
    const { updated_at: _, ...kept } = made;
    await company.patch(`/text_snippets/${made.id}`, change).gives(200, kept);
  }),

  must(10, 'A change of a snippet moves `updated_at` and leaves `created_at`.', FIELDS, async (context) => {
    const company = await textingCompany(context);
    const made = await company.post('/text_snippets', snippet()).gives(201);
    const { created_at, updated_at } = await company.patch(`/text_snippets/${made.id}`, { text: 'Later' }).gives(200);
    expect(created_at, made.created_at, '`created_at`');
    expectThat(
      Date.parse(updated_at) > Date.parse(made.updated_at),
      `updated_at is ${updated_at} after a change, and was ${made.updated_at} before it`,
    );
  }),

  must(11, 'A changed position moves the snippet in the list.', FULL, async ({ companies }) => {
    const company = await companies.fresh(TEXTING);
    const { id } = await company.post('/text_snippets', snippet({ title: 'First' })).gives(201);
    await company.post('/text_snippets', snippet({ title: 'Second', position: 1 })).gives(201);
    await company.patch(`/text_snippets/${id}`, { position: 2 }).gives(200);
    await company.get('/text_snippets').gives(200, [{ title: 'Second' }, { title: 'First' }]);
  }),

  must(12, 'A deleted snippet is answered with 204 and is gone.', ENDPOINTS, async (context) => {
    const company = await textingCompany(context);
    const { id } = await company.post('/text_snippets', snippet()).gives(201);
    await company.delete(`/text_snippets/${id}`).givesNothing();
    await company.get(`/text_snippets/${id}`).isNotFound();
    await company.patch(`/text_snippets/${id}`, { title: 'Back' }).isNotFound();
    await company.delete(`/text_snippets/${id}`).isNotFound();
    const listed = await company.get('/text_snippets').gives(200);
    expect(
      listed.some((one: { id: string }) => one.id === id),
      false,
      'whether the deleted snippet is listed',
    );
  }),

  must(13, 'Two snippets may have the same title and text.', FIELDS, async (context) => {
    const company = await textingCompany(context);
    const sent = snippet();
    const [first, second] = [
      await company.post('/text_snippets', sent).gives(201),
      await company.post('/text_snippets', sent).gives(201),
    ];
    expectThat(first.id !== second.id, 'two snippets have one id');
  }),

  must(14, 'Title and text of a snippet are kept character by character.', FIELDS, async (context) => {
    const company = await textingCompany(context);
    const sent = { title: 'Åbningstider 🙂', text: 'Første linje\nAnden "linje" <b>&amp;</b> {name}' };
    const { id } = await company.post('/text_snippets', sent).gives(201, sent);
    await company.get(`/text_snippets/${id}`).gives(200, sent);
  }),

  must(
    15,
    'Ids of snippets are texts with a prefix.',
    { source: 'decisions.md: Bodies and statuses', profile: 'api' },
    async (context) => {
      const company = await textingCompany(context);
      await company.post('/text_snippets', snippet()).gives(201, { id: matching(/^[a-z]+_.{16,}$/) });
    },
  ),

  must(
    16,
    'A snippet is never sent by being made, changed or deleted.',
    { source: 'service-api.md: Text snippet', profile: 'full' },
    async ({ companies }) => {
      const company = await companies.fresh(TEXTING);
      await company.number();
      const { id } = await company.post('/text_snippets', snippet()).gives(201);
      await company.patch(`/text_snippets/${id}`, { title: 'Changed' }).gives(200);
      await company.delete(`/text_snippets/${id}`).givesNothing();
      await company.get('/inbox').gives(200, { threads: [] });
    },
  ),
];
