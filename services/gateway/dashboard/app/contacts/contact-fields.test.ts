import { describe, expect, it } from '@jest/globals';
import type { Contact } from '../api/schema.d.ts';
import { changesIn, contactTitle, NO_CONTACT, typedFrom } from './contact-fields.ts';

const ane: Contact = {
  id: 'con_1',
  name: 'Ane',
  email: null,
  phone: '+4520304050',
  phone_formatted: '+45 20 30 40 50',
  company_name: null,
  note: 'Mondays',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};

describe('the form of a contact', () => {
  it('the form of a contact sends what was changed, and null for what was emptied', () => {
    const loaded = typedFrom(ane);
    expect(changesIn(loaded, loaded)).toEqual({});
    expect(changesIn({ ...loaded, note: ' ', email: 'ane@example.dk' }, loaded)).toEqual({
      note: null,
      email: 'ane@example.dk',
    });
  });

  it('the form of a contact sends an empty phone number as it is, for the API to refuse', () => {
    expect(changesIn({ ...typedFrom(ane), phone: '' }, typedFrom(ane))).toEqual({ phone: '' });
    expect(changesIn({ ...NO_CONTACT, phone: '20304050' }, NO_CONTACT)).toEqual({ phone: '20304050' });
  });
});

describe('the title of a contact', () => {
  it.each([
    [ane, 'Ane'],
    [{ ...ane, name: ' ', company_name: 'Nordlys' }, 'Nordlys'],
    [{ ...ane, name: null }, '+45 20 30 40 50'],
  ])('the title of a contact is name, company or number', (contact, title) => {
    expect(contactTitle(contact)).toBe(title);
  });
});
