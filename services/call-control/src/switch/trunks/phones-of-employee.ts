import { setTimeout as sleep } from 'node:timers/promises';
import type { Trunk } from '../connection/command-lines.ts';
import { isBehindEdge } from '../connection/phone-contact.ts';
import type { Switch, Switches } from '../connection/switch-client.ts';
import type { TrunkTickets } from './trunk-ticket.ts';

/** A phone that can be rung, and the way to it where it is registered at another switch than the call's. */
export interface RegisteredPhone {
  readonly dialString: string;
  readonly trunk?: Trunk;
}

/** Another switch that stands still must not delay the phones that are registered at the call's own one for longer. */
const OTHERS_WITHIN_MS = 1000;

/** The phones of an employee at all switches, those at the call's own one first. */
export async function phonesOfEmployee(
  { switches, tickets }: { readonly switches: Switches; readonly tickets: TrunkTickets },
  at: Switch,
  call: { readonly id: string; readonly employeeId: string; readonly timeoutSecs: number },
): Promise<readonly RegisteredPhone[]> {
  const { id: callId, employeeId, timeoutSecs } = call;
  const elsewhere = at.trunkAddress === undefined ? [] : switches.all.filter((other) => other !== at);
  const [own, ...others] = await Promise.all([
    at.contactsOf(employeeId),
    ...elsewhere.map(async (other): Promise<readonly RegisteredPhone[]> => {
      const { trunkAddress: address } = other;
      if (address === undefined || !other.isReachable) return [];
      const seal = (phone: string) => tickets.seal({ task: 'ring', callId, employeeId, phone, timeoutSecs });
      return (await contactsInTime(other, employeeId)).map((dialString) => ({
        dialString,
        ...(!isBehindEdge(dialString) && { trunk: { address, ticket: seal(dialString) } }),
      }));
    }),
  ]);
  return firstOfEach([...own.map((dialString) => ({ dialString })), ...others.flat()]);
}

async function contactsInTime(at: Switch, employeeId: string): Promise<readonly string[]> {
  const tooLate = new AbortController();
  const none = sleep(OTHERS_WITHIN_MS, [], { signal: tooLate.signal }).catch(() => []);
  return Promise.race([at.contactsOf(employeeId).catch(() => []), none]).finally(() => tooLate.abort());
}

/** A phone that has moved may still be registered where it was: it would be rung twice. */
function firstOfEach(phones: readonly RegisteredPhone[]): readonly RegisteredPhone[] {
  const addressOf = ({ dialString }: RegisteredPhone) => dialString.split(';')[0];
  return phones.filter((phone, index) => phones.findIndex((one) => addressOf(one) === addressOf(phone)) === index);
}
