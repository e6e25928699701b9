import { describe, expect, it } from '@jest/globals';
import type { Contact } from '../contacts/contact.ts';
import type { ProviderContact } from './caller-context.ts';
import { fillBlankFields, mergeIdentities } from './caller-lookup.ts';

const noContact: ProviderContact = { name: null, email: null, companyName: null, note: null };
const found = (contact: Partial<ProviderContact> | null) => ({ contact: contact && { ...noContact, ...contact } });

describe('an identity', () => {
  it.each([
    ['no system returns data', [], undefined],
    ['no system returns a name', [found({ email: 'a@example.com' }), found(null)], undefined],
    [
      'the first system with a name takes precedence',
      [found({ name: 'A' }), found({ name: 'B' })],
      { ...noContact, name: 'A' },
    ],
    [
      'later ones fill what earlier ones leave open',
      [
        found({ name: 'A' }),
        found({ name: 'B', email: 'b@example.com' }),
        found({ name: 'C', email: 'c@example.com', note: 'c' }),
      ],
      { name: 'A', email: 'b@example.com', companyName: null, note: 'c' },
    ],
    [
      'a system without a name contributes nothing',
      [found({ email: 'x@example.com' }), found({ name: 'B' })],
      { ...noContact, name: 'B' },
    ],
  ])('an identity is merged from the results of the systems when %s', (_case, contexts, merged) => {
    expect(mergeIdentities(contexts)).toEqual(merged);
  });

  it('an identity fills blanks and nothing else', () => {
    const contact = { name: 'Mine', email: null, companyName: ' ', note: null } as Contact;
    const identity = { name: 'Theirs', email: 'x@example.com', companyName: 'Co', note: null };
    expect(fillBlankFields(contact, identity)).toEqual({ email: 'x@example.com', companyName: 'Co' });
    expect(fillBlankFields({ ...contact, email: 'y@example.com', companyName: 'Mine' }, identity)).toBeUndefined();
  });
});
