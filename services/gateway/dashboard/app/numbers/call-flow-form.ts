import type { CallFlowConfig, MenuOption, paths } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';

export type CallFlowBody =
  paths['/api/v1/business_numbers/{id}/incoming_call_config']['put']['requestBody']['content']['application/json'];
export type Forward = Omit<Extract<CallFlowConfig, { type: 'ForwardConfig' }>, 'type'>;
type AssistantBody = Pick<Extract<CallFlowBody, { type: 'AssistantConfig' }>, 'assistant_id' | 'fallback'>;
type OptionBody = Extract<CallFlowBody, { type: 'PhoneMenuConfig' }>['menu_options'][number];
export type CallFlowType = CallFlowConfig['type'];
export type MenuAction = MenuOption['action_type'];

/** The edited values. It has the fields of every type, so that changing the type loses nothing. */
export interface CallFlowForm {
  /** Null: the slot is not set. */
  readonly type: CallFlowType | null;
  readonly welcome: string;
  readonly message: string;
  readonly greeting: string;
  readonly employeeIds: readonly string[];
  readonly options: readonly MenuOptionForm[];
  readonly forward: Forward;
  /** Null until it is edited. */
  readonly assistant: AssistantForm | null;
}

export interface AssistantForm {
  /** Empty: none is chosen yet. */
  readonly id: string;
  readonly name: string;
  /** Where the caller goes when the assistant cannot help. */
  readonly fallback: CallFlowForm;
}

export interface MenuOptionForm {
  /** Identifies the option while it is edited. */
  readonly key: string;
  readonly digit: string;
  readonly action: MenuAction;
  readonly prompt: string;
  readonly employeeIds: readonly string[];
  readonly forward?: Forward;
  readonly assistant?: AssistantForm;
}

export const CALL_FLOW_TYPES: readonly CallFlowType[] = [
  'TransferConfig',
  'WelcomeTransferConfig',
  'PhoneMenuConfig',
  'AssistantConfig',
  'ForwardConfig',
  'VoicemailConfig',
  'RejectConfig',
];

export const FALLBACK_TYPES: readonly CallFlowType[] = [
  'TransferConfig',
  'WelcomeTransferConfig',
  'ForwardConfig',
  'VoicemailConfig',
  'RejectConfig',
];

export function flowTypeText(type: CallFlowType): string {
  return {
    TransferConfig: t('Ring employees'),
    WelcomeTransferConfig: t('Play a welcome, then ring employees'),
    PhoneMenuConfig: t('Phone menu'),
    VoicemailConfig: t('Take a voicemail'),
    RejectConfig: t('Play a message and hang up'),
    ForwardConfig: t('Call a phone outside the company'),
    AssistantConfig: t('Assistant'),
  }[type];
}

export const MENU_ACTIONS: readonly MenuAction[] = [
  'TransferConfig',
  'WelcomeTransferConfig',
  'AssistantConfig',
  'ForwardConfig',
  'VoicemailConfig',
  'PlayMessageConfig',
];

export function menuActionText(action: MenuAction): string {
  return {
    TransferConfig: t('Ring employees'),
    WelcomeTransferConfig: t('Play a prompt, then ring employees'),
    VoicemailConfig: t('Play a prompt, then take a voicemail'),
    PlayMessageConfig: t('Play a prompt and hang up'),
    ForwardConfig: t('Call a phone outside the company'),
    AssistantConfig: t('Assistant'),
  }[action];
}

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
export const MENU_OPTIONS_MAX = DIGITS.length;

export const NO_FORWARD: Forward = { phone_number: '', timeout_secs: 30, confirm: true };
const EMPTY: CallFlowForm = {
  type: null,
  welcome: '',
  message: '',
  greeting: '',
  employeeIds: [],
  options: [],
  forward: NO_FORWARD,
  assistant: null,
};
export const NO_ASSISTANT: AssistantForm = { id: '', name: '', fallback: { ...EMPTY, type: 'VoicemailConfig' } };

/** Of another type. An assistant that takes a slot over falls back on what the slot did until now. */
export function withType(form: CallFlowForm, type: CallFlowType | null): CallFlowForm {
  if (type !== 'AssistantConfig' || form.assistant !== null) return { ...form, type };
  const isFallback = form.type !== null && FALLBACK_TYPES.includes(form.type);
  return { ...form, type, assistant: { ...NO_ASSISTANT, ...(isFallback && { fallback: form }) } };
}

export function callFlowForm(config: CallFlowConfig | null): CallFlowForm {
  switch (config?.type) {
    case undefined:
      return EMPTY;
    case 'WelcomeTransferConfig':
      return { ...EMPTY, type: config.type, welcome: config.welcome, employeeIds: config.employee_ids };
    case 'TransferConfig':
      return { ...EMPTY, type: config.type, employeeIds: config.employee_ids };
    case 'RejectConfig':
      return { ...EMPTY, type: config.type, message: config.message };
    case 'VoicemailConfig':
      return { ...EMPTY, type: config.type, greeting: config.greeting };
    case 'PhoneMenuConfig':
      return { ...EMPTY, type: config.type, welcome: config.welcome, options: config.menu_options.map(optionForm) };
    case 'ForwardConfig': {
      const { type, ...forward } = config;
      return { ...EMPTY, type, forward };
    }
    case 'AssistantConfig':
      return { ...EMPTY, type: config.type, assistant: assistantForm(config.assistant, config.fallback) };
  }
}

/** The body that sets the slot; null where the form leaves it unset. */
export function callFlowBody(form: CallFlowForm): CallFlowBody | null {
  const { type, welcome, message, greeting } = form;
  switch (type) {
    case null:
      return null;
    case 'WelcomeTransferConfig':
      return { type, welcome, employee_ids: [...form.employeeIds] };
    case 'TransferConfig':
      return { type, employee_ids: [...form.employeeIds] };
    case 'RejectConfig':
      return { type, message };
    case 'VoicemailConfig':
      return { type, greeting };
    case 'PhoneMenuConfig':
      return { type, welcome, menu_options: form.options.map(optionBody) };
    case 'ForwardConfig':
      return { type, ...form.forward };
    case 'AssistantConfig':
      return { type, ...assistantBody(form.assistant ?? undefined) };
  }
}

/** The body that sets a slot, or clears it: the API clears it for a null type, which the types of its client do not have. */
export function clearableCallFlowBody(form: CallFlowForm): CallFlowBody | { type?: never } {
  return callFlowBody(form) ?? ({ type: null } as unknown as { type?: never });
}

/** True when the API can be expected to accept it, for requests while the user is still typing. */
export function isComplete(form: CallFlowForm): boolean {
  const isText = (text: string): boolean => text.trim() !== '';
  switch (form.type) {
    case null:
      return true;
    case 'WelcomeTransferConfig':
      return isText(form.welcome) && form.employeeIds.length > 0;
    case 'TransferConfig':
      return form.employeeIds.length > 0;
    case 'RejectConfig':
      return isText(form.message);
    case 'VoicemailConfig':
      return isText(form.greeting);
    case 'ForwardConfig':
      return isText(form.forward.phone_number);
    case 'AssistantConfig':
      return isAssistantComplete(form.assistant);
    case 'PhoneMenuConfig': {
      const digits = new Set(form.options.map(({ digit }) => digit).filter((digit) => DIGITS.includes(digit)));
      const areComplete = form.options.every(
        ({ action, prompt, employeeIds, forward = NO_FORWARD, assistant }) =>
          (!hasPrompt(action) || isText(prompt)) &&
          (!ringsEmployees(action) || employeeIds.length > 0) &&
          (action !== 'ForwardConfig' || isText(forward.phone_number)) &&
          (action !== 'AssistantConfig' || isAssistantComplete(assistant ?? null)),
      );
      return isText(form.welcome) && digits.size > 0 && digits.size === form.options.length && areComplete;
    }
  }
}

function isAssistantComplete(assistant: AssistantForm | null): boolean {
  return assistant !== null && assistant.id !== '' && isComplete(assistant.fallback);
}

const WITHOUT_PROMPT: readonly MenuAction[] = ['TransferConfig', 'ForwardConfig', 'AssistantConfig'];
export const hasPrompt = (action: MenuAction): boolean => !WITHOUT_PROMPT.includes(action);
export const ringsEmployees = (action: MenuAction): boolean =>
  action === 'TransferConfig' || action === 'WelcomeTransferConfig';

/** A further option with the first key that is free. */
export function newOption({ options }: CallFlowForm, key: string): MenuOptionForm {
  const digit = DIGITS.find((free) => options.every((option) => option.digit !== free)) ?? '';
  return { key, digit, action: 'TransferConfig', prompt: '', employeeIds: [] };
}

function optionForm(option: MenuOption): MenuOptionForm {
  return {
    key: String(option.id),
    digit: option.digit,
    action: option.action_type,
    prompt: option.prompt ?? '',
    employeeIds: option.employee_ids,
    ...(option.phone_number !== undefined && { forward: forwardOf(option) }),
    ...(option.assistant && option.fallback && { assistant: assistantForm(option.assistant, option.fallback) }),
  };
}

function assistantForm({ id, name }: { id: string; name: string }, fallback: CallFlowConfig): AssistantForm {
  return { id, name, fallback: callFlowForm(fallback) };
}

function assistantBody({ id, fallback }: AssistantForm = NO_ASSISTANT): AssistantBody {
  return { assistant_id: id, fallback: callFlowBody(fallback) as AssistantBody['fallback'] };
}

function forwardOf({ phone_number = '', timeout_secs = 30, confirm = true }: MenuOption): Forward {
  return { phone_number, timeout_secs, confirm };
}

function optionBody({
  digit,
  action,
  prompt,
  employeeIds,
  forward = NO_FORWARD,
  assistant,
}: MenuOptionForm): OptionBody {
  switch (action) {
    case 'TransferConfig':
      return { digit, action_type: action, employee_ids: [...employeeIds] };
    case 'WelcomeTransferConfig':
      return { digit, action_type: action, prompt, employee_ids: [...employeeIds] };
    case 'VoicemailConfig':
    case 'PlayMessageConfig':
      return { digit, action_type: action, prompt };
    case 'ForwardConfig':
      return { digit, action_type: action, ...forward };
    case 'AssistantConfig':
      return { digit, action_type: action, ...assistantBody(assistant) };
  }
}
