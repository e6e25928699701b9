import { expect, expectThat } from '../../expectations/expect.ts';
import { exactly, matching, oneOf, optional, text, timestamp } from '../../expectations/shapes.ts';
import { freshPhone } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';

const { must } = checksOf('contacts');
const FIELDS = { source: 'service-api.md: Contact', profile: 'api' } as const;
const ENDPOINTS = { source: 'service-api.md: Contacts', profile: 'api' } as const;
const BODIES = { source: 'decisions.md: Bodies and statuses', profile: 'api' } as const;

/** The digits of +4520304050 as people write them. */
const spaced = (phone: string) =>
  ` ${phone.slice(0, 3)} (${phone.slice(3, 5)}) ${phone.slice(5, 7)}-${phone.slice(7, 9)}.${phone.slice(9)}`;

export const creationChecks: readonly Check[] = [
  must(1, 'A new contact is answered with 201 and all its fields.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const sent = {
      phone: freshPhone(),
      name: 'Ane',
      email: 'ane@example.com',
      company_name: 'Ane & Co',
      note: 'Calls on Mondays',
    };
    await company.post('/contacts', sent).gives(201, {
      ...sent,
      id: text,
      phone_formatted: text,
      created_at: timestamp,
      updated_at: timestamp,
    });
  }),

  must(2, 'A contact is read as it was answered when it was made.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const made = await company.post('/contacts', { phone: freshPhone(), name: 'Bo' }).gives(201);
    await company.get(`/contacts/${made.id}`).gives(200, exactly(made));
  }),

  must(3, 'A contact needs nothing but a phone number.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const phone = freshPhone();
    const empty = optional(oneOf(null, ''));
    await company
      .post('/contacts', { phone })
      .gives(201, { phone, name: empty, email: empty, company_name: empty, note: empty });
  }),

  must(4, 'The phone number of a contact is stored without spaces and punctuation.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    const phone = freshPhone();
    await company.post('/contacts', { phone: spaced(phone) }).gives(201, { phone });
  }),

  must(5, 'A contact has its number in international format with spaces.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    const phone = freshPhone();
    const { phone_formatted: formatted } = await company
      .post('/contacts', { phone })
      .gives(201, { phone_formatted: matching(/^\+\d+( \d+)+$/) });
    expect(formatted.replaceAll(' ', ''), phone, '`phone_formatted` without its spaces');
  }),

  must(6, 'The formatted number of a contact cannot be written.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    const phone = freshPhone();
    const { phone_formatted: formatted } = await company
      .post('/contacts', { phone, phone_formatted: '+45 11 11 11 11' })
      .gives(201);
    expect(formatted.replaceAll(' ', ''), phone, '`phone_formatted` without its spaces');
  }),

  must(7, 'A contact may have a note of 10,000 characters.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    const note = 'n'.repeat(10_000);
    await company.post('/contacts', { phone: freshPhone(), note }).gives(201, { note });
  }),

  must(8, 'The name of a contact is kept character by character.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    const name = 'Æbleskær "Ø" <b>&amp; 東京 🙂';
    const { id } = await company.post('/contacts', { phone: freshPhone(), name }).gives(201);
    await company.get(`/contacts/${id}`).gives(200, { name });
  }),

  must(9, 'Unknown fields of a contact are ignored.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    const sent = {
      phone: freshPhone(),
      id: 'con_mine',
      favourite_colour: 'green',
      created_at: '2001-01-01T00:00:00.000Z',
    };
    const made = await company.post('/contacts', sent).gives(201);
    expectThat(made.id !== sent.id, 'the contact has the id that was sent with it');
    expectThat(made.created_at !== sent.created_at, 'the contact has the `created_at` that was sent with it');
    expectThat(!('favourite_colour' in made), 'the contact has a field `favourite_colour`');
  }),

  must(
    10,
    'The id of a contact begins with the short prefix of its kind.',
    { ...BODIES, source: 'decisions.md: Bodies and statuses' },
    async ({ companies }) => {
      const company = await companies.shared();
      await company.post('/contacts', { phone: freshPhone() }).gives(201, { id: matching(/^con_.{16,}$/) });
    },
  ),

  must(11, 'The times of a contact are in UTC with milliseconds, and now.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    const made = await company
      .post('/contacts', { phone: freshPhone() })
      .gives(201, { created_at: timestamp, updated_at: timestamp });
    expect(made.updated_at, made.created_at, '`updated_at` of a new contact');
  }),

  must(
    12,
    "A national number is read with the company's country.",
    { source: 'decisions.md: Resources', profile: 'full' },
    async ({ companies }) => {
      const danish = await companies.shared({ country: 'DK' });
      const phone = freshPhone();
      await danish.post('/contacts', { phone: phone.slice(3) }).gives(201, { phone });
      const american = await companies.shared({ country: 'US' });
      const digits = String(freshPhone()).slice(-4);
      await american.post('/contacts', { phone: `(415) 555-${digits}` }).gives(201, { phone: `+1415555${digits}` });
      await american.post('/contacts', { phone }).gives(201, { phone });
    },
  ),
];
