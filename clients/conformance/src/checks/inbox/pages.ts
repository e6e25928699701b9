import { expect } from '../../expectations/expect.ts';
import { nullable, someText } from '../../expectations/shapes.ts';
import type { ApiClient } from '../../http/api-client.ts';
import type { Context } from '../../world/context.ts';
import { freshPhone } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { activityPath, coded, itemsOf, ownNumber, TEXTING, threadsOf } from './inbox.ts';

const { must } = checksOf('inbox');
const RULES = { source: 'service-api.md: Inbox and messages', profile: 'full' } as const;

/** A number with texts: of so many customers, or so many of one. */
async function texts({ companies, sandbox }: Context, count: number, oneCustomer?: string) {
  const company = await companies.shared(TEXTING);
  const { id, number } = await ownNumber(company);
  for (let index = 0; index < count; index++) await sandbox.text(oneCustomer ?? freshPhone(), number, `Text ${index}`);
  if (oneCustomer === undefined) await threadsOf(company, id, count);
  else await itemsOf(company, oneCustomer, count);
  return { company, id, number };
}

/** Every page from a path on, by their cursors. */
async function pagesFrom(company: ApiClient, path: string, shape: object): Promise<any[]> {
  const pages: any[] = [];
  let cursor: string | null = '';
  while (cursor !== null && pages.length < 20) {
    const page: any = await company
      .get(cursor === '' ? path : `${path}&cursor=${coded(cursor)}`)
      .gives(200, { ...shape, next_cursor: nullable(someText) });
    pages.push(page);
    cursor = page.next_cursor;
  }
  return pages;
}

export const pageChecks: readonly Check[] = [
  must(40, 'The pages of the inbox have every thread once, in the order of the whole list.', RULES, async (context) => {
    const { company, id } = await texts(context, 5);
    const whole = await threadsOf(company, id, 5);
    const pages = await pagesFrom(company, `/inbox?business_number_id=${id}&limit=2`, {});
    const numbers = pages.flatMap(({ threads }) => threads).map(({ phone_number: number }) => number);
    expect(
      numbers,
      whole.map(({ phone_number: number }) => number),
      'the threads of all pages',
    );
    expect(
      pages.every(({ threads }) => threads.length <= 2),
      true,
      'whether every page has two threads at most',
    );
  }),

  must(41, 'The limit of the inbox is clamped to 1 to 100.', RULES, async (context) => {
    const { company, id } = await texts(context, 2);
    for (const [limit, count] of [
      [0, 1],
      [-7, 1],
      [1, 1],
      [101, 2],
      [100_000, 2],
    ] as const) {
      const { threads } = await company.get(`/inbox?business_number_id=${id}&limit=${limit}`).gives(200);
      expect(threads.length, count, `the number of threads with limit=${limit}`);
    }
  }),

  must(42, 'A cursor is good for the filters that it was given with, and only for them.', RULES, async (context) => {
    const { company, id } = await texts(context, 2);
    const path = `/inbox?business_number_id=${id}&limit=1`;
    const { next_cursor: cursor } = await company.get(path).gives(200, { next_cursor: someText });
    await company.get(`${path}&cursor=${coded(cursor)}`).gives(200);
    for (const other of [`/inbox?limit=1`, `${path}&unseen=true`, `${path}&query=4520`])
      await company.get(`${other}&cursor=${coded(cursor)}`).isRefused(422);
    await company.get(activityPath(freshPhone(), `?cursor=${coded(cursor)}`)).isRefused(422);
  }),

  must(43, "Another company's cursor, and one that was changed, are refused.", RULES, async (context) => {
    const { company, id } = await texts(context, 2);
    const { next_cursor: cursor } = await company
      .get(`/inbox?business_number_id=${id}&limit=1`)
      .gives(200, { next_cursor: someText });
    const another = await context.companies.another(TEXTING);
    await another.get(`/inbox?limit=1&cursor=${coded(cursor)}`).isRefused(422);
    const middle = Math.floor(cursor.length / 2);
    const changed = `${cursor.slice(0, middle)}${cursor[middle] === 'A' ? 'B' : 'A'}${cursor.slice(middle + 1)}`;
    await company.get(`/inbox?business_number_id=${id}&limit=1&cursor=${coded(changed)}`).isRefused(422);
  }),

  must(
    44,
    'The pages of an activity have every item once, newest first, and one `observed_at`.',
    RULES,
    async (context) => {
      const customer = freshPhone();
      const { company } = await texts(context, 5, customer);
      const pages = await pagesFrom(company, activityPath(customer, '?limit=2'), { observed_at: someText });
      const said = pages.flatMap(({ items }) => items).map(({ text }) => text);
      expect(said, ['Text 4', 'Text 3', 'Text 2', 'Text 1', 'Text 0'], 'the texts of all pages');
      expect(new Set(pages.map(({ observed_at: at }) => at)).size, 1, 'the number of different `observed_at`');
    },
  ),

  must(45, 'What comes after the first page of an activity is on none of its pages.', RULES, async (context) => {
    const customer = freshPhone();
    const { company, number } = await texts(context, 3, customer);
    const path = activityPath(customer, '?limit=1');
    const first = await company.get(path).gives(200, { items: [{ text: 'Text 2' }], next_cursor: someText });
    await context.sandbox.text(customer, number, 'Text 3');
    await itemsOf(company, customer, 4);
    const { observed_at } = first;
    const second = await company
      .get(`${path}&cursor=${coded(first.next_cursor)}`)
      .gives(200, { items: [{ text: 'Text 1' }], observed_at, next_cursor: someText });
    await company
      .get(`${path}&cursor=${coded(second.next_cursor)}`)
      .gives(200, { items: [{ text: 'Text 0' }], observed_at });
  }),

  must(46, 'The limit of an activity is clamped to 1 to 100.', RULES, async (context) => {
    const customer = freshPhone();
    const { company } = await texts(context, 2, customer);
    for (const [limit, count] of [
      [0, 1],
      [-1, 1],
      [5000, 2],
    ] as const) {
      const { items } = await company.get(activityPath(customer, `?limit=${limit}`)).gives(200);
      expect(items.length, count, `the number of items with limit=${limit}`);
    }
  }),
];
