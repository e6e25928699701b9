import { invalid, refusal, Refused } from '@parley/errors';
import { readCallableNumber } from '@parley/phone-numbers';
import type { Directory } from '../directory/directory-client.ts';
import type { BusinessNumbers } from './business-number-store.ts';
import { type CallFlow, forwardsOf, withForwardNumbers } from '../call-flows/call-flow.ts';
import { collectProblems } from '../call-flows/problems.ts';

const notAllowed = refusal('destination_not_allowed', 'The company may not call this number.');

/**
 * The flow with the numbers it forwards to as E.164. Throws `Refused` where one is no number that a company can forward to,
 * or that this one may not call.
 */
export async function readForwardNumbers(
  { directory, numbers: businessNumbers }: { directory: Directory; numbers: Pick<BusinessNumbers, 'byE164'> },
  companyId: string,
  flow: CallFlow,
  prefix = '',
): Promise<CallFlow> {
  const forwards = forwardsOf(flow);
  if (forwards.length === 0) return flow;
  const company = await directory.company(companyId);
  const problems = collectProblems();
  const numbers = new Map<string, string>();
  let isRefused = false;
  for (const { path, forward } of forwards) {
    const read = readCallableNumber(forward.phoneNumber, company);
    if (read === 'not_allowed') isRefused = true;
    else if (read === 'not_a_number' || read.isEmergency) problems.add(prefix + path, 'is not a valid phone number');
    // A call would never leave the company.
    else if ((await businessNumbers.byE164(read.to))?.companyId === companyId)
      problems.add(prefix + path, 'is a business number of the company');
    else numbers.set(forward.phoneNumber, read.to);
  }
  if (problems.count() > 0) throw new Refused(invalid(problems.fields()));
  if (isRefused) throw new Refused(notAllowed);
  return withForwardNumbers(flow, (written) => numbers.get(written) ?? written);
}
