import { type Company, operate, type Reply, sharedStack, succeeded } from '../support/api.ts';

/** The operator assigns an unused number to a company. */
export async function createNumber(
  company: Pick<Company, 'id'>,
  details: object = {},
  stack = sharedStack(),
): Promise<Reply> {
  for (;;) {
    const reply = await requestNumber(company, details, stack);
    // Numbers are random, and other tests have some.
    const isTaken = reply.status === 422 && reply.body.errors?.number?.includes('has already been taken');
    if (!isTaken || 'number' in details) return succeeded(Promise.resolve(reply));
  }
}

/** Like `createNumber`, for requests that may be refused. */
export function requestNumber(
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
