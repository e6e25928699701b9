import type { Mutation } from './mutation.ts';
import { acceptedInstead, changeBody, changeField, seenInstead, statusInstead } from './ways.ts';

const OPERATOR = { areas: ['operator'], profile: 'full' } as const;
const CREATE = { at: 'operator', method: 'POST', path: '/operator/v1/companies' } as const;
const COMPANY = { at: 'operator', method: 'PATCH', path: '/operator/v1/companies/:id' } as const;

export const operatorMutations: readonly Mutation[] = [
  {
    id: 'operator-open-to-all',
    sentence: 'The operator API needs no token.',
    ...OPERATOR,
    where: COMPANY,
    answer: acceptedInstead(401, 200, ({ body }) => body),
  },
  {
    id: 'operator-texting-by-default',
    sentence: 'A new company may text.',
    ...OPERATOR,
    where: CREATE,
    answer: changeField('messaging_enabled', () => true),
  },
  {
    id: 'operator-owner-invited',
    sentence: "A new company's owner has not signed in.",
    ...OPERATOR,
    where: CREATE,
    answer: changeField('invitation_pending', () => true),
  },
  {
    id: 'operator-any-registration',
    sentence: 'A registration may be approved at any time.',
    ...OPERATOR,
    where: { at: 'operator', method: 'PUT', path: '/operator/v1/business_numbers/:id/registration' },
    answer: acceptedInstead(422, 200, () => ({ registration_status: 'approved' })),
  },
  {
    id: 'operator-unknown-with-200',
    sentence: 'An unknown employee gets a password.',
    ...OPERATOR,
    where: { at: 'operator', method: 'PUT', path: '/operator/v1/employees/:id/password' },
    answer: statusInstead(404, 204),
  },
  {
    id: 'operator-number-open-always',
    sentence: 'A new number is open on Saturdays.',
    ...OPERATOR,
    where: { method: 'GET', path: '/api/v1/business_numbers/:id' },
    answer: changeBody((body) => ({
      ...body,
      business_hours: body.business_hours.map((hours: object) => ({ ...hours, open: true })),
    })),
  },
  {
    id: 'operator-revoked-key-works',
    sentence: 'A key that the operator has revoked still works.',
    ...OPERATOR,
    where: { method: 'GET', path: '/api/v1/company' },
    answer: seenInstead(401, 200, ({ request }) => `GET ${request.path}`),
  },
];
