import { type Company, operate, type Reply, sharedStack } from '../support/api.ts';

/** The operator assigns an unused number to a company. */
export function createNumber(
  company: Pick<Company, 'id'>,
  details: object = {},
  stack = sharedStack(),
): Promise<Reply> {
  const digits = String(Math.floor(Math.random() * 1e7)).padStart(7, '0');
  return operate(stack, 'POST', `/companies/${company.id}/business_numbers`, {
    number: `+457${digits}`,
    name: 'Support',
    timezone: 'Europe/Copenhagen',
    // Its voice is simple: that of English costs a stack eight seconds of processor time.
    language: 'da',
    ...details,
  });
}
