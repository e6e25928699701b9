import { eventually } from '../../expectations/eventually.ts';
import { expect } from '../../expectations/expect.ts';
import { callIs, keptAgent } from '../../world/conversations.ts';
import type { Leg } from '../../world/phones.ts';
import { type Check, checksOf } from '../check.ts';
import { calling, speechesOf } from './calling.ts';

const { must } = checksOf('routing');
const FLOWS = { source: 'service-api.md: Call flow config types', profile: 'full' } as const;
const DECIDED = { source: 'decisions.md: Calls and transfers', profile: 'full' } as const;

const menu = (...options: object[]) => ({ type: 'PhoneMenuConfig', welcome: 'Press a key.', menu_options: options });
const PLAY = { digit: '2', action_type: 'PlayMessageConfig', prompt: 'We moved to the harbour.' };

export const menuChecks: readonly Check[] = [
  must(5, 'The key of a menu transfers to the employees of its option.', FLOWS, async (context) => {
    const company = await context.companies.shared();
    const { employee, phone } = await keptAgent(context, company);
    const routing = menu(PLAY, { digit: '1', action_type: 'TransferConfig', employee_ids: [employee.id] });
    await calling(context, routing, async (customer) => {
      await customer.hears('speech', 'Press a key.');
      await callIs(company, await customer.callId(), { state: 'initiated', answered_at: null });
      await customer.press('1');
      await phone.answers();
      await customer.hears('party');
      expect(await speechesOf(customer), ['Press a key.'], 'what the customer heard');
    });
  }),

  must(6, 'An option with a prompt plays it, then transfers.', FLOWS, async (context) => {
    const company = await context.companies.shared();
    const { employee, phone } = await keptAgent(context, company);
    const option = {
      digit: '9',
      action_type: 'WelcomeTransferConfig',
      prompt: 'To sales.',
      employee_ids: [employee.id],
    };
    await calling(context, menu(option, PLAY), async (customer) => {
      await customer.hears('speech', 'Press a key.');
      await customer.press('9');
      await phone.answers();
      await customer.hears('party');
      expect(await speechesOf(customer), ['Press a key.', 'To sales.'], 'what the customer heard');
    });
  }),

  must(7, 'An option with a voicemail plays its prompt, then records.', FLOWS, async (context) => {
    const option = { digit: '3', action_type: 'VoicemailConfig', prompt: 'Tell us your order.' };
    await calling(context, menu(PLAY, option), async (customer, company) => {
      await customer.hears('speech', 'Press a key.');
      await customer.press('3');
      await customer.hears('beep');
      expect(await speechesOf(customer), ['Press a key.', 'Tell us your order.'], 'what the customer heard');
      await callIs(company, await customer.callId(), { state: 'recording' });
    });
  }),

  must(8, 'An option with a message plays it, and the call ends.', FLOWS, async (context) => {
    await calling(context, menu(PLAY), async (customer) => {
      await customer.hears('speech', 'Press a key.');
      await customer.press('2');
      await customer.is('ended');
      expect(await speechesOf(customer), ['Press a key.', PLAY.prompt], 'what the customer heard');
    });
  }),

  must(9, 'After a wrong key the menu is played again, four times at most.', DECIDED, async (context) => {
    await calling(context, menu(PLAY), async (customer, company) => {
      for (let played = 1; played <= 4; played++) {
        await eventuallyPlayed(customer, played);
        await customer.press(played === 2 ? '*' : '7');
      }
      await customer.is('ended');
      expect(
        (await speechesOf(customer)).filter((one) => one === 'Press a key.').length,
        4,
        'how often the menu was played',
      );
      await callIs(company, await customer.callId(), { state: 'ended', answered_at: null });
    });
  }),
];

async function eventuallyPlayed(customer: Leg, times: number): Promise<void> {
  await eventually(`the menu is played ${times} times`, async () => {
    const speeches = await speechesOf(customer);
    expect(speeches.filter((one) => one === 'Press a key.').length, times, 'how often the menu was played');
  });
}
