import { type Company, operate, type Reply, sharedStack } from '../support/api.ts';

/**
 * Details of a number on a stack where nobody listens to prompts: English ones would start the neural voice, which costs
 * eight seconds of processor time.
 */
export const SIMPLE_VOICE = { language: 'da' };

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
    language: 'da',
    ...details,
  });
}
