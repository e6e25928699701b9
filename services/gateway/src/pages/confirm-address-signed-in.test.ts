import { expect, it } from '@jest/globals';
import { EmailConfirmationOutcome as Outcome } from '@parley/proto/identity/v1/email_confirmations_pb';
import type { Clients } from '../peers/peers.ts';
import { confirmOwnAddress, ownAddressForm } from './confirm-address-signed-in.ts';
import type { Visitor } from './visitor.ts';

const visitor = {
  dashboard: {},
  baseUrl: 'https://p.example',
  form: { secret: 's', isNew: false },
  session: 'ss_1',
  unconfirmedEmail: 'new@p.example',
  emailChange: 7n,
  employee: { employeeId: 'emp_1' },
} as unknown as Visitor;

/** Submits the hidden fields of the form, and the password; what identity is asked. */
async function submitted(html: string): Promise<unknown[]> {
  const requests: unknown[] = [];
  const emailConfirmations = {
    confirmEmailBySession: async (request: unknown) => {
      requests.push(request);
      return { outcome: Outcome.CONFIRMED };
    },
  };
  const form = new URLSearchParams({ password: 'p' });
  for (const [, name = '', value = ''] of html.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g))
    form.append(name, value);
  const { handle } = confirmOwnAddress({ emailConfirmations } as unknown as Clients);
  await handle({ context: visitor, request: { headers: {} }, form } as unknown as Parameters<typeof handle>[0]);
  return requests;
}

it('confirms the change that the form shows', async () => {
  const { html } = ownAddressForm(visitor, false);
  expect(await submitted(html)).toEqual([{ session: 'ss_1', password: 'p', code: '', emailChange: 7n }]);
});

it.each(['', 'x', '-1', '9'.repeat(30)])('asks for no change when the form says %j', async (value) => {
  const { html } = ownAddressForm(visitor, false);
  expect(await submitted(html.replace('value="7"', `value="${value}"`))).toMatchObject([{ emailChange: 0n }]);
});
