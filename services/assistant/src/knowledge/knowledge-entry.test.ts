import { describe, expect, it } from '@jest/globals';
import {
  createEntry,
  deleteEntry,
  entryTerms,
  type KnowledgeEntry,
  type KnowledgeEntryChange,
  updateEntry,
} from './knowledge-entry.ts';

const now = new Date('2026-03-01T12:00:00Z');
const later = new Date('2026-03-01T13:00:00Z');
const identity = { id: 'kno_1', companyId: 'com_1', createdOrder: 1, slot: 0 };
const facts = { unknownNumbers: new Set(['num_unknown', 'num_released']), now };
const required = { title: 'Parking', answer: 'Behind the house.' };

const create = (fields: KnowledgeEntryChange) => createEntry(identity, fields, facts);
const created = (fields: KnowledgeEntryChange = {}): KnowledgeEntry => {
  const decision = create({ ...required, ...fields });
  if (!decision.ok) throw new Error(JSON.stringify(decision.refusal));
  return decision.state;
};
const update = (current: KnowledgeEntry, change: KnowledgeEntryChange) =>
  updateEntry(current, change, { ...facts, now: later });

describe('a knowledge entry', () => {
  it('a knowledge entry is for all numbers and without an end unless it says otherwise', () => {
    expect(created()).toMatchObject({
      ...required,
      questions: [],
      text: null,
      businessNumberIds: [],
      active: true,
      validUntil: null,
      createdAt: now,
      updatedAt: now,
    });
  });

  it('a knowledge entry needs a title and an answer', () => {
    expect(create({})).toMatchObject({ refusal: { fields: { title: ['is required'], answer: ['is required'] } } });
  });

  it.each<[KnowledgeEntryChange, string[]]>([
    [{ title: '' }, ['title']],
    [{ title: 'x'.repeat(121) }, ['title']],
    [{ answer: ' ' }, ['answer']],
    [{ answer: 'x'.repeat(601) }, ['answer']],
    [{ questions: ['', 'x'.repeat(201)] }, ['questions[0]', 'questions[1]']],
    [{ questions: Array(21).fill('Where?') }, ['questions']],
    [{ text: ' ' }, ['text']],
    [{ text: 'x'.repeat(321) }, ['text']],
    [{ text: 'See http://example.com' }, ['text']],
    [{ text: 'See HTTP://example.com and https://example.com' }, ['text']],
    [{ text: 'ftp://example.com' }, ['text']],
    [{ text: 'javascript:alert(1)' }, ['text']],
    [{ businessNumberIds: ['num_1', 'num_unknown'] }, ['business_number_ids[1]']],
    [{ validUntil: '2026-02-30' }, ['valid_until']],
    [{ validUntil: '01.03.2026' }, ['valid_until']],
    [{ validUntil: '2026-03-01T00:00:00Z' }, ['valid_until']],
    [{ title: '', validUntil: 'soon' }, ['title', 'valid_until']],
  ])('a knowledge entry cannot have %j', (change, paths) => {
    for (const decision of [create({ ...required, ...change }), update(created(), change)]) {
      expect(decision.ok ? [] : Object.keys(decision.refusal.fields ?? {})).toEqual(paths);
    }
  });

  it.each<KnowledgeEntryChange>([
    { title: 'x'.repeat(120), answer: 'x'.repeat(600), questions: Array(20).fill('x'.repeat(200)) },
    { text: 'x'.repeat(320) },
    { text: 'Book here: https://example.com/book?x=1 (open 10:30)' },
    { validUntil: '2028-02-29', active: false },
    { validUntil: null, text: null },
  ])('a knowledge entry can have %j', (change) => expect(created(change)).toMatchObject(change));

  it('a knowledge entry keeps what is not given, and a number that it had', () => {
    const entry: KnowledgeEntry = { ...created({ questions: ['Where?'] }), businessNumberIds: ['num_released'] };
    expect(update(entry, { businessNumberIds: ['num_released', 'num_2', 'num_2'] })).toMatchObject({
      state: {
        title: 'Parking',
        questions: ['Where?'],
        businessNumberIds: ['num_released', 'num_2'],
        updatedAt: later,
      },
      events: [{ type: 'assistant.knowledge_entry.updated', entryId: 'kno_1' }],
    });
  });

  it('a knowledge entry that stays the same has no event and no new time', () => {
    const entry = created({ questions: ['Where?'] });
    expect(update(entry, { title: 'Parking', questions: ['Where?'] })).toMatchObject({ state: entry, events: [] });
  });

  it('a knowledge entry has no text in the audit log', () => {
    const decisions = [create(required), update(created(), { answer: 'In the street.' }), deleteEntry(created())];
    const audits = decisions.flatMap((decision) => (decision.ok ? decision.events.map(({ audit }) => audit) : []));
    expect(audits).toMatchObject([
      { type: 'knowledge_entry.created', object: { type: 'knowledge_entry', id: 'kno_1' } },
      { type: 'knowledge_entry.updated', changes: { answer: { from: '(set)', to: '(set)' } } },
      { type: 'knowledge_entry.deleted' },
    ]);
    expect(JSON.stringify(audits)).not.toMatch(/Parking|Behind|street/);
  });

  it('the words of a knowledge entry are found without punctuation, case and accents', () => {
    expect(entryTerms('“Où? Café-bar, 24/7!” café')).toEqual(['ou', 'cafe', 'bar', '24', '7']);
  });
});
