import { decided } from '@parley/errors';
import { describe, expect, it } from '@jest/globals';
import { type Company, type CompanyChange, createCompany, SUPPORTED_COUNTRIES, updateCompany } from './company.ts';

function company(fields: Partial<Company> = {}): Company {
  const decision = createCompany('com_1', { name: 'Acme', country: 'DK', messagingEnabled: false });
  if (!decision.ok) throw new Error('no company');
  return { ...decision.state, ...fields };
}

describe('updating a company', () => {
  it.each<[string, Partial<Company>, CompanyChange, Partial<Company>]>([
    [
      'sets what is given',
      {},
      { address: 'Main St 1', zip: '8000' },
      { address: 'Main St 1', zip: '8000', city: null },
    ],
    ['clears what is null', { city: 'Aarhus', zip: '8000' }, { city: null }, { city: null, zip: '8000' }],
    ['takes blank for null', { city: 'Aarhus' }, { city: '  ' }, { city: null }],
    ['trims', {}, { vatId: ' DK123 ' }, { vatId: 'DK123' }],
    ['changes the country', {}, { country: 'NZ' }, { country: 'NZ' }],
    ['requires a second factor', {}, { requiresTwoFactor: true }, { requiresTwoFactor: true }],
    ['takes 255 characters', {}, { state: 'x'.repeat(255) }, { state: 'x'.repeat(255) }],
  ])('%s', (_promise, before, change, after) => {
    const decision = updateCompany(company(before), change);
    if (!decision.ok) throw new Error(decision.refusal.message);
    expect(decision.state).toEqual({ ...company(before), ...after });
    expect(decision.events).toEqual([{ type: 'directory.company.updated', company: decision.state }]);
  });

  it.each<[string, CompanyChange, string]>([
    ['an unsupported country', { country: 'XX' }, 'country'],
    ['a country in lower case', { country: 'dk' }, 'country'],
    ['a country that is supported nowhere but exists', { country: 'BR' }, 'country'],
    ['a long address', { address: 'x'.repeat(256) }, 'address'],
    ['a long VAT registration', { vatId: 'x'.repeat(256) }, 'vat_id'],
  ])('refuses %s', (_case, change, field) => {
    const decision = updateCompany(company(), change);
    expect(decision.ok ? {} : decision.refusal.fields).toEqual({ [field]: [expect.any(String)] });
  });

  it('that changes nothing is no event', () => {
    const current = company({ city: 'Aarhus' });
    expect(updateCompany(current, { city: 'Aarhus', country: 'DK' })).toEqual(decided(current));
  });
});

it('the supported countries are the EU and EEA, GB, CH, US, CA, AU and NZ', () => {
  expect(SUPPORTED_COUNTRIES.size).toBe(27 + 3 + 6);
});
