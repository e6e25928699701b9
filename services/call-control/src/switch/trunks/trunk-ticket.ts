import type { Clock } from '@parley/clock';
import { signedTokens } from '@parley/secrets';
import { z } from 'zod';

/** What the call-control of one switch asks the one of another to do with a call that the first switch sends there. */
export type TrunkTicket = z.output<typeof ticketForm>;

/** The trunk is a matter of milliseconds; a ticket that somebody found is of no use later. */
const VALID_MS = 30_000;

const ticketForm = z.discriminatedUnion('task', [
  /** Ring a phone that is registered there. `callId`: the call that it is rung for, at the first switch. */
  z.object({
    task: z.literal('ring'),
    callId: z.string(),
    employeeId: z.string(),
    /** The dial string of the phone. */
    phone: z.string(),
    timeoutSecs: z.number().int(),
  }),
  /** Take the phone of an employee back into a call that is there. */
  z.object({ task: z.literal('return'), callId: z.string(), companyId: z.string(), employeeId: z.string() }),
]);

const sealedForm = z.object({ ticket: ticketForm, until: z.number() });

export type TrunkTickets = ReturnType<typeof trunkTickets>;

/**
 * Tickets for calls between switches. Who can reach the port of the trunk cannot make one, whatever the networks are that the
 * operator lets in, and what is in a ticket need not be looked up.
 */
export function trunkTickets(keys: readonly string[], machineClock: Clock) {
  const tokens = signedTokens(keys, 'parley trunk tickets');
  return {
    seal: (ticket: TrunkTicket): string => tokens.seal({ ticket, until: machineClock.now().getTime() + VALID_MS }, []),
    /** Undefined for one that was not made by us, or is too old. */
    open(text: string): TrunkTicket | undefined {
      const { data } = sealedForm.safeParse(tokens.open(text, []));
      return data && data.until >= machineClock.now().getTime() ? data.ticket : undefined;
    },
  };
}
