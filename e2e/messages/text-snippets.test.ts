import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Company, createTestCompany, sharedStack } from '../support/api.ts';

let company: Company;
let other: Company;
beforeAll(async () => {
  company = await createTestCompany(sharedStack(), { messaging_enabled: true });
  other = await createTestCompany(sharedStack(), { messaging_enabled: true });
});

const create = (body: object) => company.call('POST', '/text_snippets', body);

describe('text snippets', () => {
  it('text snippets are created, listed by position and creation, changed and deleted', async () => {
    const second = await create({ title: 'Second', text: 'Two', position: 1 });
    const first = await create({ title: 'First', text: 'One' });
    const third = await create({ title: 'Third', text: 'Three', position: 1 });
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      id: expect.any(String),
      title: 'First',
      text: 'One',
      position: 0,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const titles = async () =>
      ((await company.call('GET', '/text_snippets')).body as { title: string }[]).map(({ title }) => title);
    expect(await titles()).toEqual(['First', 'Second', 'Third']);
    const changed = await company.call('PATCH', `/text_snippets/${second.body.id}`, { position: 2, color: 'red' });
    expect([changed.status, changed.body.position, changed.body.title]).toEqual([200, 2, 'Second']);
    expect(await titles()).toEqual(['First', 'Third', 'Second']);
    expect((await company.call('DELETE', `/text_snippets/${third.body.id}`)).status).toBe(204);
    expect((await company.call('GET', `/text_snippets/${third.body.id}`)).status).toBe(404);
    expect((await company.call('DELETE', `/text_snippets/${third.body.id}`)).status).toBe(404);
    expect(await titles()).toEqual(['First', 'Second']);
  });

  it.each([
    [{ text: 'One' }, 'title'],
    [{ title: ' ', text: 'One' }, 'title'],
    [{ title: 'x'.repeat(129), text: 'One' }, 'title'],
    [{ title: 'One', text: '\n' }, 'text'],
    [{ title: 'One', text: 'x'.repeat(10_001) }, 'text'],
    [{ title: 'One', text: 'One', position: -1 }, 'position'],
    [{ title: 'One', text: 'One', position: 1.5 }, 'position'],
    [{ title: 'One', text: 'One', position: '1' }, 'position'],
    [{ title: { $gt: '' }, text: 'One' }, 'title'],
    [{ title: ' ', text: '', position: -1 }, 'title', 'text', 'position'],
  ])('a text snippet cannot be %j', async (body, ...fields) => {
    const reply = await create(body);
    expect([reply.status, reply.body.code, Object.keys(reply.body.errors)]).toEqual([422, 'validation_failed', fields]);
  });

  it('text snippets of another company are not there', async () => {
    const { body } = await create({ title: 'Ours', text: 'Ours' });
    for (const [method, change] of [
      ['GET', undefined],
      ['PATCH', { title: 'Theirs' }],
      ['PATCH', { title: 7 }],
      ['DELETE', undefined],
    ] as const)
      expect((await other.call(method, `/text_snippets/${body.id}`, change)).status).toBe(404);
    expect((await other.call('GET', '/text_snippets')).body).toEqual([]);
  });
});
