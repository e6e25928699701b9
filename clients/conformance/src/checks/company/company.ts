import { flag, matching, nullable, someText, text } from '../../expectations/shapes.ts';
import { type Check, checksOf } from '../check.ts';

const { must } = checksOf('company');
const FIELDS = { source: 'service-api.md: Company', profile: 'api' } as const;
const CHANGES = { source: 'service-api.md: Company', profile: 'full' } as const;
const DECIDED = { source: 'decisions.md: Resources', profile: 'full' } as const;
const BODIES = { source: 'decisions.md: Bodies and statuses', profile: 'full' } as const;

const ADDRESS = {
  address: 'Nørregade 1, 2. th',
  city: 'Aarhus',
  state: 'Midtjylland',
  zip: '8000',
  vat_id: 'DK12345678',
};
const EU = 'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE';
const SUPPORTED = `${EU} IS LI NO GB CH US CA AU NZ`.split(' ');

export const companyChecks: readonly Check[] = [
  must(1, 'The company has all fields of the specification.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    await company.get('/company').gives(200, {
      id: company.id,
      name: someText,
      address: nullable(text),
      city: nullable(text),
      state: nullable(text),
      zip: nullable(text),
      country: matching(/^[A-Z]{2}$/),
      vat_id: nullable(text),
      requires_two_factor: flag,
    });
  }),

  must(
    2,
    'Address and VAT id of a company can be changed, and are kept as they were sent.',
    CHANGES,
    async ({ companies }) => {
      const company = await companies.shared();
      await company.patch('/company', ADDRESS).gives(200, { id: company.id, ...ADDRESS });
      await company.get('/company').gives(200, ADDRESS);
    },
  ),

  must(3, 'A change of a company keeps what it leaves out.', CHANGES, async ({ companies }) => {
    const company = await companies.shared();
    const before = await company.patch('/company', ADDRESS).gives(200);
    await company.patch('/company', { city: 'Odense' }).gives(200, { ...before, city: 'Odense' });
    await company.patch('/company', {}).gives(200, { ...before, city: 'Odense' });
  }),

  must(4, "Null clears the parts of a company's address.", CHANGES, async ({ companies }) => {
    const company = await companies.shared();
    await company.patch('/company', ADDRESS).gives(200);
    const empty = { address: null, city: null, state: null, zip: null, vat_id: null };
    await company.patch('/company', empty).gives(200, empty);
    await company.get('/company').gives(200, empty);
  }),

  must(5, 'A company may be in the EU, the EEA, GB, CH, US, CA, AU and NZ.', DECIDED, async ({ companies }) => {
    const company = await companies.shared();
    for (const country of SUPPORTED) await company.patch('/company', { country }).gives(200, { country });
    await company.get('/company').gives(200, { country: SUPPORTED.at(-1) });
  }),

  must(6, 'Another country is refused, and changes nothing.', DECIDED, async ({ companies }) => {
    const company = await companies.shared();
    await company.patch('/company', { country: 'SE', city: 'Lund' }).gives(200);
    for (const country of ['JP', 'BR', 'RU', 'IN', 'XX', 'EU', 'UK', 'Denmark', ''])
      await company.patch('/company', { country, city: 'Malmö' }).isRefused(422, { field: 'country' });
    await company.get('/company').gives(200, { country: 'SE', city: 'Lund' });
  }),

  must(7, 'A field of a company that is of another type is refused and named.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    for (const field of ['address', 'city', 'state', 'zip', 'vat_id'])
      for (const value of [17, true, {}, ['x']])
        await company.patch('/company', { [field]: value }).isRefused(422, { field });
    for (const value of [null, 17, {}])
      await company.patch('/company', { country: value }).isRefused(422, { field: 'country' });
    for (const value of [null, 'yes', 2, {}])
      await company.patch('/company', { requires_two_factor: value }).isRefused(422, { field: 'requires_two_factor' });
  }),

  must(8, 'A change of a company ignores unknown and read-only fields.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    await company
      .patch('/company', { id: 'com_other', colour: 'green', zip: '9000' })
      .gives(200, { id: company.id, zip: '9000' });
  }),

  must(9, 'The second factor can be required, which does not concern API keys.', CHANGES, async ({ companies }) => {
    const company = await companies.shared();
    await company.patch('/company', { requires_two_factor: true }).gives(200, { requires_two_factor: true });
    await company.get('/company').gives(200, { requires_two_factor: true });
    await company.patch('/company', { requires_two_factor: false }).gives(200, { requires_two_factor: false });
  }),

  must(10, 'All employees see one company.', CHANGES, async ({ companies }) => {
    const company = await companies.shared();
    const employee = await company.hire();
    const seen = await company.get('/company').gives(200);
    await employee.get('/company').gives(200, seen);
  }),

  must(11, 'There are no companies to list, make or delete.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    await company.get('/companies').isNotFound();
    await company.delete('/company').givesHeaders(405, { allow: /PATCH/ });
  }),
];
