import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers/peers.ts';

/**
 * The person of an erasure or an export. The inbox knows people who have no phone number, such as short codes and named senders, by their
 * threads; a blank number is refused by directory.
 */
export async function requestedPerson(
  { inbox, businessNumbers }: Pick<Clients, 'inbox' | 'businessNumbers'>,
  written: string,
  as: EmployeePrincipal,
) {
  const { numbers } = await businessNumbers.listBusinessNumbers({}, { as });
  const own = { businessNumbers: numbers.map(({ number }) => number) };
  if (written.trim() === '') return { ...own, phoneNumber: written };
  const { phoneNumber } = await inbox.listActivity({ phoneNumber: written, limit: 1 }, { as });
  return { ...own, phoneNumber, isOfThread: true };
}
