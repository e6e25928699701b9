import { describe, expect, it } from '@jest/globals';
import type { KnowledgeEntry } from '../api/schema.d.ts';
import { entryBody, entryForm, entryState, NO_ENTRY } from './entry-form.ts';

const entry: KnowledgeEntry = {
  id: 'kno_1',
  title: 'Parking',
  answer: 'Behind the house.',
  questions: ['Where can I park?', 'Is there a car park?'],
  text: 'https://example.com/parking',
  business_number_ids: ['num_1'],
  active: true,
  valid_until: '2026-12-24',
  used_count: 3,
  created_at: '2026-11-01T00:00:00.000Z',
  updated_at: '2026-11-01T00:00:00.000Z',
};

describe('the form of a knowledge entry', () => {
  it('the form of a knowledge entry keeps everything of a saved one', () => {
    const { id: _id, used_count: _used, created_at: _created, updated_at: _updated, ...written } = entry;
    expect(entryBody(entryForm(entry))).toEqual(written);
  });

  it('the form of a knowledge entry sends nothing where nothing was typed', () => {
    expect(entryBody({ ...NO_ENTRY, text: ' ', questions: '\n \n' })).toMatchObject({
      text: null,
      questions: [],
      valid_until: null,
    });
  });

  it.each([
    [{ active: true, valid_until: null }, 'used'],
    [{ active: true, valid_until: '2026-11-19' }, 'used'],
    [{ active: true, valid_until: '2026-11-18' }, 'expired'],
    [{ active: false, valid_until: '2026-11-18' }, 'off'],
  ])('an entry is used until its last day, unless it is off: %j', (written, state) => {
    expect(entryState(written, '2026-11-19')).toBe(state);
  });
});
