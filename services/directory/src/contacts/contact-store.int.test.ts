import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@parley/clock';
import { idleRelay } from '@parley/outbox/idle-relay';
import { documentQueryPlan, testMongo } from '@parley/testkit';
import { endOfPage, NEWEST_FIRST, openContacts, pageFilter, searchFilter } from './contact-store.ts';

const mongo = testMongo();
const db = mongo.database();
beforeAll(() => openContacts(db, idleRelay(), systemClock));

afterAll(() => mongo.close());

const plan = (filter: object, sort?: Readonly<Record<string, 1 | -1>>) =>
  documentQueryPlan(db, 'contacts', { ...filter, companyId: 'com_1' }, sort && { sort });

describe('the queries of contacts', () => {
  it('list newest first straight from an index, however long the list is', async () => {
    expect(await plan({}, NEWEST_FIRST)).toMatchObject({ index: 'company_newest', isUnindexed: false });
  });

  it.each([
    ['of all contacts', {}, /^company_newest$/],
    // Which of the two reads less depends on how many contacts the search finds.
    ['of a search', searchFilter(['ane']), /^company_(newest|search)$/],
  ])('continue a list %s behind a page by an index', async (_of, filter, index) => {
    const after = pageFilter({ createdOrder: 5, ids: ['con_1'] });
    expect(await plan({ ...filter, ...after }, NEWEST_FIRST)).toMatchObject({ index: expect.stringMatching(index) });
  });

  it('find a number by an index, and several in order of the index', async () => {
    const several = await plan({ phone: { $in: ['+4520304050', '+4520304051'] } }, { phone: 1 });
    expect(several).toMatchObject({ index: 'company_phone', isUnindexed: false });
    expect(await plan({ phone: '+4520304050' })).toMatchObject({ index: 'company_phone' });
  });
});

describe('the end of a page', () => {
  const at = (id: string, createdOrder: number) => ({ id, createdOrder });

  it('is its last contact, with the others of the same order', () => {
    expect(endOfPage([], undefined)).toBeUndefined();
    expect(endOfPage([at('a', 7), at('b', 5)], undefined)).toEqual({ createdOrder: 5, ids: ['b'] });
    expect(endOfPage([at('a', 5), at('b', 5)], undefined)).toEqual({ createdOrder: 5, ids: ['a', 'b'] });
  });

  it('includes those of the page before, when more than a page has the same order', () => {
    expect(endOfPage([at('c', 5)], { createdOrder: 5, ids: ['a', 'b'] })).toEqual({
      createdOrder: 5,
      ids: ['a', 'b', 'c'],
    });
    expect(endOfPage([at('c', 4)], { createdOrder: 5, ids: ['a'] })).toEqual({ createdOrder: 4, ids: ['c'] });
  });
});
