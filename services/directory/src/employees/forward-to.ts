import { invalid, notFound, refusal, Refused } from '@parley/errors';
import { readCallableNumber } from '@parley/phone-numbers';
import type { RoutingService } from '@parley/proto/numbers_routing/v1/routing_pb';
import type { RpcClient } from '@parley/rpc';
import { destinationsOf } from '../companies/call-permissions.ts';
import type { Companies } from '../companies/company-store.ts';
import type { EmployeeChange } from './employee.ts';

/**
 * The change with the number to forward to as E.164. Throws `Refused` for one that is no number, a business number of the
 * company, or one that the company may not call.
 */
export async function readForwardTo(
  deps: { companies: Companies; routing: Pick<RpcClient<typeof RoutingService>, 'getNumberByE164'> },
  companyId: string,
  change: EmployeeChange,
): Promise<EmployeeChange> {
  const { forwardTo } = change;
  if (forwardTo === undefined) return change;
  if (forwardTo === null || forwardTo.trim() === '') return { ...change, forwardTo: null };
  const company = await deps.companies.of(companyId).get(companyId);
  if (!company) throw new Refused(notFound);
  const read = readCallableNumber(forwardTo, { country: company.country, destinations: destinationsOf(company) });
  if (read === 'not_a_number' || (read !== 'not_allowed' && read.isEmergency))
    throw wrong('is not a valid phone number');
  if (read === 'not_allowed')
    throw new Refused(refusal('destination_not_allowed', 'The company may not call this number.'));
  const asked = deps.routing.getNumberByE164({ number: read.to });
  const owned = await asked.catch((error: unknown) => {
    if (error instanceof Refused && error.refusal.code === notFound.code) return undefined;
    throw error;
  });
  if (owned?.number?.companyId === companyId) throw wrong('is a business number of the company');
  return { ...change, forwardTo: read.to };
}

function wrong(message: string): Refused {
  return new Refused(invalid({ forward_to: [message] }));
}
