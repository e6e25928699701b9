import { decided } from '@parley/errors';
import { describe, expect, it } from '@jest/globals';
import { DEFAULT_DESTINATIONS, DEFAULT_LIMITS } from './call-permissions.ts';
import {
  type Company,
  type CompanyChange,
  createCompany,
  markForDeletion,
  type OperatorChange,
  SUPPORTED_COUNTRIES,
  updateCompany,
  updateCompanyByOperator,
} from './company.ts';
import { companyToProto } from './company-proto.ts';

function company(fields: Partial<Company> = {}): Company {
  const decision = createCompany(
    { id: 'com_1', createdOrder: 1 },
    { name: 'Acme', country: 'DK', messagingEnabled: false },
  );
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
    ['requires a second factor', {}, { requiresTwoFactor: true }, { requiresTwoFactor: true }],
    ['enables supervision', {}, { supervisionEnabled: true }, { supervisionEnabled: true }],
    ['takes 255 characters', {}, { state: 'x'.repeat(255) }, { state: 'x'.repeat(255) }],
  ])('updating a company %s', (_promise, before, change, after) => {
    const decision = updateCompany(company(before), change);
    if (!decision.ok) throw new Error(decision.refusal.message);
    expect(decision.state).toEqual({ ...company(before), ...after });
    const audit = { type: 'company.updated', object: { type: 'company', id: 'com_1', name: 'Acme' } };
    expect(decision.events).toMatchObject([{ type: 'directory.company.updated', company: decision.state, audit }]);
    expect(decision.events[0]?.audit?.changes).not.toEqual({});
  });

  it.each<[string, Partial<Company>]>([
    ['by default', {}],
    ['that the operator allowed', { destinations: { countries: ['DK', 'JM'], premiumRate: true, satellite: false } }],
    ['by default beside what the operator allowed', { destinations: { ...DEFAULT_DESTINATIONS, satellite: true } }],
  ])('updating a company changes the country, and not the destinations %s', (_which, before) => {
    const current = company({ country: 'DK', ...before });
    const decision = updateCompany(current, { country: 'NZ' });
    if (!decision.ok) throw new Error(decision.refusal.message);
    expect(companyToProto(decision.state)).toEqual({ ...companyToProto(current), country: 'NZ' });
    expect(decision.events[0]?.audit?.changes).toEqual({ country: { from: 'DK', to: 'NZ' } });
    const back = updateCompany(decision.state, { country: 'DK' });
    expect(back.ok && companyToProto(back.state)).toEqual(companyToProto(current));
  });

  it.each<[string, CompanyChange, string]>([
    ['an unsupported country', { country: 'XX' }, 'country'],
    ['a country in lower case', { country: 'dk' }, 'country'],
    ['a country that is supported nowhere but exists', { country: 'BR' }, 'country'],
    ['a long address', { address: 'x'.repeat(256) }, 'address'],
    ['a long VAT registration', { vatId: 'x'.repeat(256) }, 'vat_id'],
  ])('updating a company refuses %s', (_case, change, field) => {
    const decision = updateCompany(company(), change);
    expect(decision.ok ? {} : decision.refusal.fields).toEqual({ [field]: [expect.any(String)] });
  });

  it('updating a company that changes nothing is no event', () => {
    const current = company({ city: 'Aarhus' });
    expect(updateCompany(current, { city: 'Aarhus', country: 'DK', supervisionEnabled: false })).toEqual(
      decided(current),
    );
  });
});

it('the supported countries are the EU and EEA, GB, CH, US, CA, AU and NZ', () => {
  expect(SUPPORTED_COUNTRIES.size).toBe(27 + 3 + 6);
});

describe('what the operator decides about calls', () => {
  const update = (current: Company, change: OperatorChange) => {
    const decision = updateCompanyByOperator(current, change);
    if (!decision.ok) throw new Error(decision.refusal.message);
    return decision;
  };

  it('what the operator decides about calls is merged with what was decided before, and with the defaults', () => {
    const once = update(company(), { limits: { simultaneousCalls: 5 }, destinations: { premiumRate: true } }).state;
    const twice = update(once, { limits: { callsPerMinute: 7 }, destinations: { countries: ['DK', 'JM', 'DK'] } });
    expect(twice.state).toEqual({
      ...company(),
      limits: { ...DEFAULT_LIMITS, simultaneousCalls: 5, callsPerMinute: 7 },
      destinations: { countries: ['DK', 'JM'], premiumRate: true, satellite: false },
    });
    const limits = { to: { simultaneous_calls: 5, calls_per_minute: 7 } };
    expect(twice.events).toMatchObject([{ audit: { changes: { limits } } }]);
    expect(update(twice.state, { limits: { callsPerMinute: 7 } })).toEqual(decided(twice.state));
  });

  it('what the operator decides about assistants is merged in the same way, and no limit of minutes is a decision too', () => {
    expect(companyToProto(company()).assistant).toEqual({ enabled: true, simultaneousSessions: 5 });
    const once = update(company(), { assistant: { monthlyMinutes: 600 } }).state;
    const twice = update(once, { assistant: { enabled: false } });
    expect(twice.state.assistant).toEqual({ enabled: false, simultaneousSessions: 5, monthlyMinutes: 600 });
    expect(twice.events).toMatchObject([
      { audit: { changes: { assistant: { to: { enabled: false, simultaneous_sessions: 5, monthly_minutes: 600 } } } } },
    ]);
    expect(companyToProto(twice.state).assistant).toEqual({
      enabled: false,
      simultaneousSessions: 5,
      monthlyMinutes: 600,
    });
    const unlimited = update(twice.state, { assistant: { monthlyMinutes: null } }).state;
    expect(unlimited.assistant?.monthlyMinutes).toBeNull();
    expect(update(unlimited, { assistant: { monthlyMinutes: null } })).toEqual(decided(unlimited));
  });

  it('what the operator decides about calls may be to suspend the company, which the audit log records', () => {
    const suspended = update(company(), { suspended: true });
    expect(suspended.events).toMatchObject([{ audit: { changes: { suspended: { from: false, to: true } } } }]);
    expect(companyToProto(suspended.state)).toMatchObject({ suspended: true });
    expect(companyToProto(update(suspended.state, { suspended: false }).state)).toMatchObject({ suspended: false });
  });

  it('what the operator decides about calls is refused once the deletion of the company was requested', () => {
    const marked = markForDeletion(company());
    if (!marked.ok) throw new Error('refused');
    expect(companyToProto(marked.state)).toMatchObject({ suspended: true, beingDeleted: true });
    expect(markForDeletion(marked.state)).toEqual(decided(marked.state));
    expect(updateCompanyByOperator(marked.state, { suspended: false })).toMatchObject({
      refusal: { code: 'deletion_in_progress' },
    });
  });

  it('what the operator decides about calls has defaults: the own country, the EEA, GB, CH, US and CA', () => {
    const { limits, destinations } = companyToProto(company({ country: 'NZ' }));
    expect(limits).toEqual(DEFAULT_LIMITS);
    expect(destinations).toMatchObject({ premiumRate: false, satellite: false });
    expect(destinations?.countries).toHaveLength(27 + 3 + 4 + 1);
    expect(destinations?.countries).toEqual(expect.arrayContaining(['NZ', 'IS', 'GB', 'CH', 'US', 'CA']));
    expect(destinations?.countries).not.toContain('JM');
  });

  it.each<[string, OperatorChange, string]>([
    ['a negative limit', { limits: { callsPerMinute: -1 } }, 'limits.calls_per_minute'],
    ['a fraction', { limits: { simultaneousCalls: 1.5 } }, 'limits.simultaneous_calls'],
    ['too much', { limits: { employeeSimultaneousCalls: 10_001 } }, 'limits.employee_simultaneous_calls'],
    ['no country', { destinations: { countries: ['DK', 'XX'] } }, 'destinations.countries[1]'],
    ['lower case', { destinations: { countries: ['dk'] } }, 'destinations.countries[0]'],
    ['too many', { destinations: { countries: Array.from({ length: 301 }, () => 'DK') } }, 'destinations.countries'],
    ['half a session', { assistant: { simultaneousSessions: 0.5 } }, 'assistant.simultaneous_sessions'],
    ['minutes below zero', { assistant: { monthlyMinutes: -1 } }, 'assistant.monthly_minutes'],
    ['too many minutes', { assistant: { monthlyMinutes: 1_000_001 } }, 'assistant.monthly_minutes'],
  ])('a decision of the operator about calls is refused with %s', (_case, change, field) => {
    const decision = updateCompanyByOperator(company(), change);
    expect(decision.ok ? {} : decision.refusal.fields).toEqual({ [field]: [expect.any(String)] });
  });
});
