import { refusal, Refused } from '@parley/errors';
import { empty, type Endpoint, endpoint, json } from '@parley/http';
import { EmailConfirmationOutcome as Outcome } from '@parley/proto/identity/v1/email_confirmations_pb';
import { z } from 'zod';
import type { Clients } from '../peers/peers.ts';
import { boundedText } from '../routes/shared/bounded-text.ts';
import { accountError } from './account-error.ts';
import type { SignedInVisitor } from './signed-in-visitor.ts';

const newAddressSchema = z
  .object({
    employee_name: z.string(),
    email: z.string(),
    email_change: z.string().describe('Which change is shown: only that one is confirmed'),
    can_use_code: z.boolean(),
  })
  .meta({ id: 'NewAddress' });

/** An employee's new e-mail address, which the employee or an owner confirms with a password. */
export const newAddressEndpoints = (clients: Clients): Endpoint<SignedInVisitor>[] => [
  endpoint<SignedInVisitor>('none')({
    route: 'GET /new_addresses/:employee_id',
    summary: 'Show a new address to confirm',
    responses: { 200: newAddressSchema },
    errors: [404],
    async handle({ params, context: visitor }) {
      const found = await newAddressOf(clients, visitor, params.employee_id);
      if (!found) throw new Refused(refusal('not_found', 'there is no new address to confirm'));
      const { enabled } = await clients.signIn.getTwoFactor({ session: visitor.session });
      return json(200, { ...found, can_use_code: enabled });
    },
  }),
  endpoint<SignedInVisitor>('none')({
    route: 'POST /new_addresses/:employee_id/confirmation',
    summary: 'Confirm the new address of an employee',
    body: z.object({
      password: boundedText(1_024).default(''),
      one_time_code: boundedText(64).default(''),
      email_change: z.string().regex(/^\d{1,15}$/),
    }),
    responses: { 204: null },
    errors: { 404: 'not_found', 422: 'wrong_password, password_required', 429: 'rate_limited' },
    async handle({ params, body, context: visitor }) {
      const isOwn = params.employee_id === visitor.employee.employeeId;
      const { outcome } = await clients.emailConfirmations.confirmEmailBySession({
        session: visitor.session,
        employeeId: isOwn ? '' : params.employee_id,
        password: body.password,
        code: body.one_time_code,
        emailChange: BigInt(body.email_change),
      });
      if (outcome === Outcome.NOTHING) throw new Refused(refusal('not_found', 'there is no new address to confirm'));
      if (outcome === Outcome.PASSWORD_REQUIRED) throw accountError(422, 'password_required');
      if (outcome === Outcome.THROTTLED) throw accountError(429, 'rate_limited');
      if (outcome !== Outcome.CONFIRMED) throw accountError(422, 'wrong_password');
      return empty(204);
    },
  }),
];

/** Nobody but owners, and the employee, has anything to confirm. */
async function newAddressOf({ employees }: Clients, visitor: SignedInVisitor, id: string) {
  const { employee: caller } = visitor;
  if (id === caller.employeeId)
    return visitor.unconfirmedEmail === ''
      ? undefined
      : {
          employee_name: visitor.name,
          email: visitor.unconfirmedEmail,
          email_change: visitor.emailChange.toString(),
        };
  if (caller.role !== 'owner') return undefined;
  const found = await employees.readEmployee({ id }, { as: caller }).catch((error: unknown) => {
    if (error instanceof Refused) return undefined;
    throw error;
  });
  return found?.employee?.emailConfirmationPending
    ? {
        employee_name: found.employee.name,
        email: found.employee.email,
        email_change: found.employee.emailChange.toString(),
      }
    : undefined;
}
