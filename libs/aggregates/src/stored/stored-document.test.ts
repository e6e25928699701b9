import { describe, expect, it } from '@jest/globals';
import { changesBetween, toFields, toState } from './stored-document.ts';

const contact = { id: 'con_1', companyId: 'com_1', name: 'Ada', note: 'x', tags: ['a'], due: null };

describe('a stored document', () => {
  it('a stored document is its fields under its own id, and is read back unchanged', () => {
    expect(toFields(contact)).toEqual({ companyId: 'com_1', name: 'Ada', note: 'x', tags: ['a'], due: null });
    const bookkeeping = { _version: 3, _eventCounts: {}, _outbox: [], _relay: null, _stamps: [], _deleted: false };
    expect(toState({ _id: 'con_1', ...toFields(contact), ...bookkeeping })).toEqual(contact);
  });

  it('a stored document does not hold what is undefined', () => {
    expect(
      Object.keys(toFields({ ...contact, note: undefined } as typeof contact & { note: undefined })),
    ).not.toContain('note');
  });
});

describe('the changes between two states', () => {
  it('the changes between two states are new and removed fields', () => {
    const { note: _, ...next } = { ...contact, name: 'Bob' };
    expect(changesBetween(contact, next)).toEqual({ set: { name: 'Bob' }, unset: ['note'] });
  });

  it('the changes between two states count a field that became undefined as removed', () => {
    expect(changesBetween(contact, { ...contact, note: undefined } as never).unset).toEqual(['note']);
  });

  it('the changes between two states leave out what stayed, and no list that was made anew', () => {
    expect(changesBetween(contact, { ...contact })).toEqual({ set: {}, unset: [] });
    expect(changesBetween(contact, { ...contact, tags: ['a'] } as never).set).toEqual({ tags: ['a'] });
  });

  it('the changes of a deletion leave nothing but the company', () => {
    expect(changesBetween(contact, null)).toEqual({ set: {}, unset: ['name', 'note', 'tags', 'due'] });
  });
});
