import type { Mutation } from './mutation.ts';
import { changeBody, changeField, changeSent, withoutField } from './ways.ts';

const GET = { method: 'GET', path: '/api/v1/company' };
const UPDATE = { method: 'PATCH', path: '/api/v1/company' };
const FULL = { areas: ['company'], profile: 'full' } as const;

export const companyMutations: readonly Mutation[] = [
  {
    id: 'company-without-vat-id',
    sentence: 'The company has no `vat_id`.',
    areas: ['company'],
    profile: 'api',
    where: GET,
    answer: withoutField('vat_id'),
  },
  {
    id: 'company-any-country',
    sentence: 'A country that is not supported is accepted.',
    ...FULL,
    where: UPDATE,
    request: changeSent('country', (country) => (country === 'JP' || country === 'BR' ? 'DK' : country)),
  },
  {
    id: 'company-switzerland-refused',
    sentence: 'A company cannot be in Switzerland.',
    ...FULL,
    where: UPDATE,
    request: changeSent('country', (country) => (country === 'CH' ? 'XX' : country)),
  },
  {
    id: 'company-change-clears',
    sentence: 'A change of a company clears what it leaves out.',
    ...FULL,
    where: UPDATE,
    answer: changeBody((body, { request }) => ({ ...body, address: null, zip: null, ...(request.body as object) })),
  },
  {
    id: 'company-null-kept',
    sentence: 'Null does not clear the address.',
    ...FULL,
    where: GET,
    answer: changeField('address', (address) => address ?? 'Nørregade 1'),
  },
];
