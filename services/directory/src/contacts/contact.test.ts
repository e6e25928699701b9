import { decided } from '@parley/errors';
import { describe, expect, it } from '@jest/globals';
import {
  type Contact,
  type ContactChange,
  createContact,
  deleteContact,
  updateContact,
  searchTermsOf,
} from './contact.ts';

const now = new Date('2026-03-01T09:00:00Z');
const later = new Date('2026-03-02T09:00:00Z');
const identity = { id: 'con_1', companyId: 'com_1', createdOrder: 7 };
const nothing = { name: null, email: null, companyName: null, note: null };
const ane: Contact = {
  ...identity,
  ...nothing,
  phone: '+4520304050',
  phoneFormatted: '+45 20 30 40 50',
  name: 'Ane',
  createdAt: now,
  updatedAt: now,
  revision: 1,
  searchTerms: searchTermsOf({ ...nothing, phone: '+4520304050', name: 'Ane' }),
};

describe('creating a contact', () => {
  it('creating a contact normalises the number and publishes the stored contact', () => {
    const decision = createContact(identity, { ...nothing, phone: '20 30 40 50', name: 'Ane' }, 'DK', now);
    expect(decision).toEqual(decided(ane, [{ type: 'directory.contact.created', contact: ane }]));
  });

  it('creating a contact takes blank texts for none', () => {
    const decision = createContact(
      identity,
      { phone: '20304050', name: '', email: ' ', companyName: '\t', note: '' },
      'DK',
      now,
    );
    expect(decision).toMatchObject({ ok: true, state: nothing });
  });

  it('creating a contact ends the directions that its note begins, and takes a note of control characters for none', () => {
    const noteOf = (note: string) => createContact(identity, { ...nothing, phone: '20304050', note }, 'DK', now);
    expect(noteOf('a\u001b\u202eb')).toMatchObject({ state: { note: 'a\u202eb\u202c' } });
    expect(noteOf('\u001b\u0000')).toMatchObject({ state: { note: null } });
  });

  it('creating a contact keeps no characters in its names that control how they are shown, and every line of its note', () => {
    const details = { phone: '20304050', email: null, name: 'Ane\u202e\u0007', companyName: 'A\r\nB', note: 'a\nb' };
    expect(createContact(identity, details, 'DK', now)).toMatchObject({
      ok: true,
      state: { name: 'Ane', companyName: 'A B', note: 'a\nb' },
    });
    const invisible = { ...nothing, phone: '20304050', name: '\u2066\u2069' };
    expect(createContact(identity, invisible, 'DK', now)).toMatchObject({ ok: true, state: { name: null } });
  });

  it('creating a contact names every wrong field at once', () => {
    const wrong = {
      phone: 'x',
      name: 'n'.repeat(256),
      email: 'e',
      companyName: 'c'.repeat(256),
      note: 'n'.repeat(10_001),
    };
    const decision = createContact(identity, wrong, 'DK', now);
    expect(decision.ok ? [] : Object.keys(decision.refusal.fields ?? {}).sort()).toEqual([
      'company_name',
      'email',
      'name',
      'note',
      'phone',
    ]);
  });
});

describe('updating a contact', () => {
  it.each<[string, ContactChange, Partial<Contact>]>([
    ['a name', { name: 'Anne' }, { name: 'Anne' }],
    ['no name any more', { name: null }, { name: null }],
    ['another number', { phone: '20304051' }, { phone: '+4520304051', phoneFormatted: '+45 20 30 40 51' }],
    ['an e-mail with spaces around it', { email: ' ane@example.dk ' }, { email: 'ane@example.dk' }],
  ])('updating a contact to %s changes that and nothing else', (_what, change, changed) => {
    const searchTerms = searchTermsOf({ ...ane, ...changed });
    const contact = { ...ane, ...changed, updatedAt: later, revision: 2, searchTerms };
    expect(updateContact(ane, change, 'DK', later)).toEqual(
      decided(contact, [{ type: 'directory.contact.updated', contact }]),
    );
  });

  it('updating a contact to what it is already is no event', () => {
    expect(updateContact(ane, { name: 'Ane', phone: '+45 20304050' }, 'DK', later)).toEqual(decided(ane));
  });

  it('updating a contact to something wrong is refused whole', () => {
    expect(updateContact(ane, { name: 'Anne', phone: '' }, 'DK', later)).toMatchObject({
      ok: false,
      refusal: { code: 'validation_failed', fields: { phone: ['is required'] } },
    });
  });
});

it('deleting a contact publishes its last state', () => {
  expect(deleteContact(ane)).toEqual(decided(null, [{ type: 'directory.contact.deleted', contact: ane }]));
});
