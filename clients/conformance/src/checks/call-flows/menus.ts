import { expect } from '../../expectations/expect.ts';
import { integer, nullable, text } from '../../expectations/shapes.ts';
import { type Check, checksOf } from '../check.ts';
import { isRefusedIn, menuOf } from './flow.ts';

const { must } = checksOf('call-flows');
const FIELDS = { source: 'service-api.md: Call flow config types', profile: 'full' } as const;
const ROUTING = { source: 'service-api.md: Business numbers', profile: 'full' } as const;
const BODIES = { source: 'decisions.md: Bodies and statuses', profile: 'full' } as const;

const say = (digit: unknown) => ({ digit, action_type: 'PlayMessageConfig', prompt: 'We open at nine.' });

export const menuChecks: readonly Check[] = [
  must(30, 'A menu has options of all four kinds, each read with its id and audio.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    const { path, put } = await menuOf(company);
    const employee_ids = [company.owner.id];
    await put([
      { digit: '1', action_type: 'TransferConfig', employee_ids },
      { digit: '2', action_type: 'WelcomeTransferConfig', prompt: 'To sales.', employee_ids },
      { digit: '3', action_type: 'VoicemailConfig', prompt: 'Leave a message.' },
      { digit: '9', action_type: 'PlayMessageConfig', prompt: 'We open at nine.' },
    ]).gives(200);
    const common = { id: integer, prompt_audio_url: nullable(text) };
    const { incoming_call_config: menu } = await company.get(path).gives(200, {
      incoming_call_config: {
        menu_options: [
          { ...common, digit: '1', action_type: 'TransferConfig', prompt: null, employee_ids },
          { ...common, digit: '2', action_type: 'WelcomeTransferConfig', prompt: 'To sales.', employee_ids },
          { ...common, digit: '3', action_type: 'VoicemailConfig', prompt: 'Leave a message.', employee_ids: [] },
          { ...common, digit: '9', action_type: 'PlayMessageConfig', prompt: 'We open at nine.', employee_ids: [] },
        ],
      },
    });
    const ids = new Set(menu.menu_options.map(({ id }: { id: number }) => id));
    expect(ids.size, 4, 'the number of different ids of options');
  }),

  must(31, 'A menu may have every key from 1 to 9.', FIELDS, async ({ companies }) => {
    const { put } = await menuOf(await companies.shared());
    const options = Array.from({ length: 9 }, (_, index) => say(String(index + 1)));
    await put(options).gives(200, { incoming_call_config: { menu_options: options } });
  }),

  must(32, 'A menu without options is refused.', ROUTING, async ({ companies }) => {
    const { put } = await menuOf(await companies.shared());
    await put([]).isRefused(422, { field: 'menu_options' });
  }),

  must(33, 'The key 0 is refused.', ROUTING, async ({ companies }) => {
    const { path, put } = await menuOf(await companies.shared());
    await put([say('1'), say('0')]).isRefused(422, { field: 'menu_options[1].digit' });
    await (await companies.shared()).get(path).gives(200, { incoming_call_config: { type: 'TransferConfig' } });
  }),

  must(34, 'A key that is not a single digit is refused.', FIELDS, async ({ companies }) => {
    const { put } = await menuOf(await companies.shared());
    for (const digit of ['10', '*', '#', 'a', '', '-1', null, ['1']])
      await put([say(digit)]).isRefused(422, { field: 'menu_options[0].digit' });
  }),

  must(35, 'A key that is there twice is refused, at its second option.', BODIES, async ({ companies }) => {
    const { put } = await menuOf(await companies.shared());
    await put([say('2'), say('3'), say('2')]).isRefused(422, { field: 'menu_options[2].digit' });
  }),

  must(36, 'An option that speaks needs a prompt.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    const { put } = await menuOf(company);
    for (const action_type of ['WelcomeTransferConfig', 'VoicemailConfig', 'PlayMessageConfig'])
      for (const prompt of [undefined, null])
        await put([{ digit: '1', action_type, prompt, employee_ids: [company.owner.id] }]).isRefused(422, {
          field: 'menu_options[0].prompt',
        });
  }),

  must(37, 'An option that transfers needs an employee.', FIELDS, async ({ companies }) => {
    const { put } = await menuOf(await companies.shared());
    for (const action_type of ['TransferConfig', 'WelcomeTransferConfig'])
      for (const employee_ids of [undefined, []])
        await put([{ digit: '1', action_type, prompt: 'To sales.', employee_ids }]).isRefused(422, {
          field: 'menu_options[0].employee_ids',
        });
  }),

  must(
    38,
    'An option may not transfer to a foreign employee.',
    { ...ROUTING, source: 'decisions.md: Resources' },
    async (context) => {
      const { put } = await menuOf(await context.companies.shared());
      const { owner } = await context.companies.another();
      const option = { digit: '1', action_type: 'TransferConfig', employee_ids: [owner.id] };
      await isRefusedIn(put([option]), 'menu_options[0].employee_ids');
    },
  ),

  must(39, 'An option of an unknown kind is refused, a menu in a menu too.', FIELDS, async ({ companies }) => {
    const { put } = await menuOf(await companies.shared());
    for (const action_type of ['PhoneMenuConfig', 'RejectConfig', 'play', undefined])
      await put([{ ...say('1'), action_type }]).isRefused(422, { field: 'menu_options[0].action_type' });
  }),
];
