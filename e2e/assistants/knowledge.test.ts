import { beforeAll, describe, expect, it } from '@jest/globals';
import { createNumber } from '../business-numbers/create-number.ts';
import { connectAssistant } from '../mcp/assistant.ts';
import { type Company, createTestCompany, succeeded } from '../support/api.ts';

let company: Company;
let other: Company;
beforeAll(async () => {
  [company, other] = await Promise.all([createTestCompany(), createTestCompany()]);
}, 120_000);

const required = { title: 'Parking', answer: 'You can park behind the house.' };
const create = (body: object = {}, of = company) => of.call('POST', '/knowledge_entries', { ...required, ...body });

describe('knowledge entries', () => {
  it('knowledge entries are created, found, changed in part and deleted', async () => {
    const { status, body } = await create({ questions: ['Where can I leave my car?'] });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^kno_/),
        ...required,
        questions: ['Where can I leave my car?'],
        text: null,
        business_number_ids: [],
        active: true,
        valid_until: null,
        used_count: 0,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
    const change = { text: 'https://example.com/parking', valid_until: '2030-12-31', questions: [] };
    const changed = await company.call('PATCH', `/knowledge_entries/${body.id}`, change);
    expect([changed.status, changed.body]).toEqual([200, { ...body, ...change, updated_at: expect.any(String) }]);
    const cleared = await company.call('PATCH', `/knowledge_entries/${body.id}`, { text: null, valid_until: null });
    expect(cleared.body).toMatchObject({ text: null, valid_until: null, title: 'Parking' });
    const found = await company.call('GET', '/knowledge_entries?query=park%20hous');
    expect(found.body).toEqual({ knowledge_entries: [cleared.body], next_cursor: null });
    expect((await company.call('GET', '/knowledge_entries?query=car')).body.knowledge_entries).toEqual([]);
    expect((await company.call('DELETE', `/knowledge_entries/${body.id}`)).status).toBe(204);
    expect((await company.call('GET', `/knowledge_entries/${body.id}`)).status).toBe(404);
  });

  it.each<[object, ...string[]]>([
    [{ title: undefined }, 'title'],
    [{ title: 'x'.repeat(121) }, 'title'],
    [{ answer: ' ' }, 'answer'],
    [{ answer: 'x'.repeat(601) }, 'answer'],
    [{ questions: 'Where?' }, 'questions'],
    [{ questions: Array(21).fill('Where?') }, 'questions'],
    [{ questions: ['x'.repeat(201)] }, 'questions[0]'],
    [{ text: 'http://example.com' }, 'text'],
    [{ text: '' }, 'text'],
    [{ valid_until: '2026-02-30' }, 'valid_until'],
    [{ valid_until: '' }, 'valid_until'],
    [{ business_number_ids: ['num_unknown'] }, 'business_number_ids[0]'],
    [{ unanswered_question_id: 'unq_unknown' }, 'unanswered_question_id'],
    [{ active: 'yes' }, 'active'],
  ])('a knowledge entry cannot be %j', async (body, ...fields) => {
    const reply = await create(body);
    expect([reply.status, reply.body.code, Object.keys(reply.body.errors)]).toEqual([422, 'validation_failed', fields]);
  });

  it('knowledge entries are for the numbers that they name', async () => {
    const { body: number } = await createNumber(company);
    const { body: foreign } = await createNumber(other);
    const { body } = await succeeded(create({ title: 'Here', business_number_ids: [number.id] }));
    expect(body.business_number_ids).toEqual([number.id]);
    expect((await create({ business_number_ids: [foreign.id] })).status).toBe(422);
    const titles = async (query: string) =>
      (await company.call('GET', `/knowledge_entries?${query}`)).body.knowledge_entries.map(({ title }: any) => title);
    expect(await titles(`business_number_id=${number.id}`)).toContain('Here');
    expect(await titles('business_number_id=num_unknown')).not.toContain('Here');
  });

  it('knowledge entries are read page by page', async () => {
    for (const title of ['One', 'Two', 'Three']) await succeeded(create({ title }, other));
    const pages: string[][] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await succeeded(
        other.call('GET', `/knowledge_entries?limit=2&cursor=${encodeURIComponent(cursor)}`),
      );
      pages.push(body.knowledge_entries.map(({ title }: { title: string }) => title));
      cursor = body.next_cursor;
    }
    expect(pages).toEqual([['Three', 'Two'], ['One']]);
    expect((await other.call('GET', '/knowledge_entries?cursor=forged')).status).toBe(422);
  });

  it('knowledge entries of another company are not there', async () => {
    const { body } = await succeeded(create());
    for (const given of [body.id, 'kno_unknown'])
      for (const [method, change] of [
        ['GET'],
        ['PATCH', { title: 'x' }],
        ['PATCH', { title: 7 }],
        ['DELETE'],
      ] as const) {
        const reply = await other.call(method, `/knowledge_entries/${given}`, change);
        expect([method, reply.status, reply.body]).toEqual([method, 404, { error: 'not_found' }]);
      }
    expect((await other.call('DELETE', '/unanswered_questions/unq_unknown')).status).toBe(404);
    expect((await other.call('GET', '/unanswered_questions')).body).toEqual({
      unanswered_questions: [],
      next_cursor: null,
    });
  });

  it('an MCP client reads and writes knowledge entries as REST has them', async () => {
    const client = await connectAssistant({ 'X-Api-Key': other.apiKey });
    const written = await client.use('create_knowledge_entry', { title: 'Pets', answer: 'Dogs are welcome.' });
    const { structured: entry } = written;
    expect((await other.call('GET', `/knowledge_entries/${entry.id}`)).body).toEqual(entry);
    expect(
      (await client.use('update_knowledge_entry', { id: entry.id, questions: ['May I bring my dog?'] })).structured,
    ).toMatchObject({
      questions: ['May I bring my dog?'],
    });
    const { structured: list } = await client.use('list_knowledge_entries', { query: 'dog' });
    expect(list.knowledge_entries).toMatchObject([{ id: entry.id, title: 'Pets' }]);
    expect((await client.use('list_unanswered_questions')).structured).toEqual({
      unanswered_questions: [],
      next_cursor: null,
    });
    expect((await client.use('list_assistants')).structured).toEqual({ assistants: [] });
  });
});
