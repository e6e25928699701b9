import { describe, expect, it } from '@jest/globals';
import type { CallFlowConfig } from '../api/schema.d.ts';
import { numbersByAssistant } from './answered-numbers.ts';

const voicemail = { type: 'VoicemailConfig', greeting: 'Speak', greeting_audio_url: null } as const;
const answers = (id: string) => ({ assistant_id: id, assistant: { id, name: 'Robin' }, fallback: voicemail });
const flow = (id: string): CallFlowConfig => ({ type: 'AssistantConfig', ...answers(id) });
const menu: CallFlowConfig = {
  type: 'PhoneMenuConfig',
  welcome: 'Press a key',
  welcome_audio_url: null,
  menu_options: [
    {
      id: 1,
      digit: '1',
      action_type: 'AssistantConfig',
      prompt: null,
      prompt_audio_url: null,
      employee_ids: [],
      ...answers('ast_2'),
    },
    { id: 2, digit: '2', action_type: 'TransferConfig', prompt: null, prompt_audio_url: null, employee_ids: ['emp_1'] },
  ],
};

describe('the numbers that an assistant answers', () => {
  it('the numbers that an assistant answers are those with it in any slot or behind a key, each once', () => {
    const found = numbersByAssistant([
      {
        id: 'num_1',
        name: 'Main',
        incoming_call_config: menu,
        outside_business_hours_config: flow('ast_1'),
        no_answer_config: flow('ast_1'),
      },
      {
        id: 'num_2',
        name: 'Support',
        incoming_call_config: flow('ast_1'),
        outside_business_hours_config: voicemail,
        no_answer_config: null,
      },
    ]);
    const names = [...found].map(([id, numbers]) => [id, numbers.map(({ name }) => name)]);
    expect(Object.fromEntries(names)).toEqual({ ast_1: ['Main', 'Support'], ast_2: ['Main'] });
  });
});
