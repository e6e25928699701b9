import { expect, it } from '@jest/globals';
import { ringsFor } from './rings-for.ts';

it('ringsFor names the numbers that ring an employee, in whatever part of the route', () => {
  const ring = (...ids: string[]) => ({ type: 'TransferConfig', employee_ids: ids }) as const;
  const menu = {
    type: 'PhoneMenuConfig',
    welcome: '',
    welcome_audio_url: null,
    menu_options: [
      { id: 1, digit: '1', action_type: 'TransferConfig', prompt: null, prompt_audio_url: null, employee_ids: ['b'] },
    ],
  } as const;
  const assistant = (...ids: string[]) => ({
    assistant_id: 'ast_1',
    assistant: { id: 'ast_1', name: 'Robin' },
    fallback: ring(...ids),
  });
  const found = ringsFor([
    {
      name: 'Sales',
      incoming_call_config: ring('a', 'b'),
      outside_business_hours_config: ring('a'),
      no_answer_config: null,
    },
    {
      name: 'Main',
      incoming_call_config: {
        ...menu,
        menu_options: [
          ...[...menu.menu_options].map((one) => ({ ...one, employee_ids: [...one.employee_ids] })),
          {
            ...menu.menu_options[0],
            action_type: 'AssistantConfig',
            employee_ids: [],
            ...assistant('c'),
          },
        ],
      },
      outside_business_hours_config: { type: 'AssistantConfig', ...assistant('d') },
      no_answer_config: null,
    },
  ]);
  expect(found.get('a')).toEqual(['Sales']);
  expect(found.get('b')).toEqual(['Sales', 'Main']);
  expect([found.get('c'), found.get('d')]).toEqual([['Main'], ['Main']]);
});
