import { describe, expect, it } from '@jest/globals';
import type { CallFlowConfig } from '../api/schema.d.ts';
import { callFlowBody, callFlowForm, isComplete, newOption, NO_ASSISTANT, withType } from './call-flow-form.ts';

const url = '/audio/1';
const saved: readonly CallFlowConfig[] = [
  { type: 'WelcomeTransferConfig', welcome: 'Hello', welcome_audio_url: url, employee_ids: ['emp_2', 'emp_1'] },
  { type: 'TransferConfig', employee_ids: ['emp_1'] },
  { type: 'RejectConfig', message: 'We are closed', message_audio_url: null },
  { type: 'VoicemailConfig', greeting: 'Leave a message', greeting_audio_url: url },
  {
    type: 'PhoneMenuConfig',
    welcome: 'Press a key',
    welcome_audio_url: null,
    menu_options: [
      { id: 1, digit: '1', action_type: 'TransferConfig', prompt: null, prompt_audio_url: null, employee_ids: ['e'] },
      { id: 2, digit: '4', action_type: 'VoicemailConfig', prompt: 'Speak', prompt_audio_url: url, employee_ids: [] },
      { id: 3, digit: '5', action_type: 'PlayMessageConfig', prompt: 'Bye', prompt_audio_url: url, employee_ids: [] },
      {
        id: 4,
        digit: '9',
        action_type: 'WelcomeTransferConfig',
        prompt: 'Hi',
        prompt_audio_url: url,
        employee_ids: ['e'],
      },
      {
        id: 5,
        digit: '7',
        action_type: 'AssistantConfig',
        prompt: null,
        prompt_audio_url: null,
        employee_ids: [],
        assistant_id: 'ast_1',
        assistant: { id: 'ast_1', name: 'Robin' },
        fallback: { type: 'VoicemailConfig', greeting: 'Speak', greeting_audio_url: url },
      },
    ],
  },
  {
    type: 'AssistantConfig',
    assistant_id: 'ast_1',
    assistant: { id: 'ast_1', name: 'Robin' },
    fallback: { type: 'WelcomeTransferConfig', welcome: 'Hi', welcome_audio_url: url, employee_ids: ['emp_1'] },
  },
];

/** The API returns these fields but does not accept them. */
function withoutReadOnlyFields(config: CallFlowConfig): unknown {
  return JSON.parse(JSON.stringify(config), (key, value: unknown) => {
    if (key.endsWith('_audio_url') || key === 'id' || key === 'assistant') return undefined;
    const option = (value ?? {}) as { action_type?: string };
    if (option.action_type === 'TransferConfig') return { ...option, prompt: undefined };
    if (option.action_type === 'AssistantConfig') return { ...option, prompt: undefined, employee_ids: undefined };
    if (option.action_type === 'VoicemailConfig' || option.action_type === 'PlayMessageConfig')
      return { ...option, employee_ids: undefined };
    return value;
  });
}

describe('the form of a call flow', () => {
  it.each(saved.map((config) => [config.type, config] as const))(
    'the form of a call flow keeps everything of a %s',
    (_type, config) => {
      expect(callFlowBody(callFlowForm(config))).toEqual(withoutReadOnlyFields(config));
    },
  );

  it('the form of a call flow has no body for a slot that is not set', () => {
    expect(callFlowBody(callFlowForm(null))).toBeNull();
  });

  it('the form of a call flow keeps what was typed for another type', () => {
    const form = { ...callFlowForm(saved[3]!), type: 'RejectConfig' as const, message: 'No' };
    expect(callFlowBody(form)).toEqual({ type: 'RejectConfig', message: 'No' });
    expect(callFlowBody({ ...form, type: 'VoicemailConfig' })).toMatchObject({ greeting: 'Leave a message' });
  });

  it('the form of a call flow that an assistant answers names the fields that the API misses', () => {
    const form = { ...callFlowForm(null), type: 'AssistantConfig' as const };
    expect(callFlowBody(form)).toEqual({
      type: 'AssistantConfig',
      assistant_id: '',
      fallback: { type: 'VoicemailConfig', greeting: '' },
    });
    const assistant = { ...NO_ASSISTANT, fallback: callFlowForm(saved[3]!) };
    expect(isComplete({ ...form, assistant })).toBe(false);
    expect(isComplete({ ...form, assistant: { ...assistant, id: 'ast_1' } })).toBe(true);
  });

  it('the form of a call flow that an assistant takes over falls back on what it did, where a fallback can', () => {
    const [, ring, , , menu, answered] = saved.map(callFlowForm);
    expect(withType(ring!, 'AssistantConfig').assistant).toEqual({ ...NO_ASSISTANT, fallback: ring });
    expect(withType(menu!, 'AssistantConfig').assistant).toEqual(NO_ASSISTANT);
    expect(withType({ ...answered!, type: 'TransferConfig' }, 'AssistantConfig')).toEqual(answered);
    expect(withType(ring!, 'VoicemailConfig')).toEqual({ ...ring, type: 'VoicemailConfig' });
  });

  it('the form of a call flow gives a new option the first free key', () => {
    const menu = callFlowForm(saved[4]!);
    const withNew = (form: typeof menu, key: string) => ({ ...form, options: [...form.options, newOption(form, key)] });
    const digits = withNew(withNew(menu, 'a'), 'b').options.map(({ digit }) => digit);
    expect(digits).toEqual(['1', '4', '5', '9', '7', '2', '3']);
  });

  it.each(saved.map((config) => [config.type, config] as const))(
    'the form of a call flow is complete as a saved %s',
    (_type, config) => {
      const form = callFlowForm(config);
      expect(isComplete(form)).toBe(true);
      expect(isComplete({ ...callFlowForm(null), type: form.type })).toBe(false);
    },
  );

  it.each([{ digit: '4' }, { digit: '0' }, { employeeIds: [] }, { action: 'PlayMessageConfig' as const, prompt: ' ' }])(
    'the form of a call flow is not complete with an option %j',
    (wrong) => {
      const menu = callFlowForm(saved[4]!);
      const [first, ...others] = menu.options;
      expect(isComplete({ ...menu, options: [{ ...first!, ...wrong }, ...others] })).toBe(false);
    },
  );
});
