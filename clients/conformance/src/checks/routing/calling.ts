import type { Company } from '../../world/company.ts';
import type { Context } from '../../world/context.ts';
import { openNumber } from '../../world/conversations.ts';
import type { Leg } from '../../world/phones.ts';
import { freshPhone } from '../../world/random.ts';

/** Calls a number with this routing, and hangs up after `use`. */
export async function calling(
  context: Context,
  routing: object,
  use: (customer: Leg, company: Company) => Promise<void>,
): Promise<void> {
  const company = await context.companies.shared();
  const number = await openNumber(company, { incoming_call_config: routing });
  const customer = await context.sandbox.call(freshPhone(), number.number);
  try {
    await use(customer, company);
  } finally {
    await customer.hangUp();
  }
}

/** What was said to a caller. */
export async function speechesOf(leg: Leg): Promise<string[]> {
  return (await leg.view()).heard.filter(({ kind }) => kind === 'speech').map(({ text }) => text ?? '');
}
