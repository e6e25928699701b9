import type { CallingRules } from '@parley/phone-numbers';
import { readCallableNumber } from '@parley/phone-numbers';
import { z } from 'zod';
import type { RequestedAction, RequestRefusal, SessionFacts } from '../engine/engine.ts';
import { readFigures } from './checks/figures.ts';

/** What a model may call, in the order of the contract. */
const descriptions = {
  find_person: 'Find a person or a team of the company by name. Returns up to three targets.',
  transfer_call: 'Connect the caller with a target, when the caller wants to speak with somebody.',
  take_message:
    "Take a message of the caller. It is repeated to the caller and confirmed before it is taken. Use the caller's words.",
  request_callback: 'Have the caller called back. It is confirmed with the caller before.',
  send_text: 'Send the text of an entry to the number the caller calls from. It is confirmed with the caller before.',
  hand_over: 'End the conversation with you because the caller does not want to talk with an assistant.',
  end_call: 'Say goodbye and hang up, when the caller has nothing more to ask.',
} as const;

export type ToolName = keyof typeof descriptions;

const TEXT_LENGTH_MAX = 1000;
const NAME_LENGTH_MAX = 64;
const NUMBER_LENGTH_MAX = 40;
const ID_LENGTH_MAX = 100;
const WHEN_LENGTH_MAX = 100;

/** Models write null, or nothing, for what they leave out. */
const optionalText = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .nullish()
    .transform((text) => text || undefined);
const requiredText = (max: number) => z.string().trim().min(1).max(max);

const target = requiredText(ID_LENGTH_MAX);

const argumentsOf = {
  find_person: z.object({ name: requiredText(NAME_LENGTH_MAX) }),
  transfer_call: z.object({ target }),
  take_message: z.object({
    text: requiredText(TEXT_LENGTH_MAX),
    caller_name: optionalText(NAME_LENGTH_MAX),
    callback_number: optionalText(NUMBER_LENGTH_MAX),
    target: optionalText(ID_LENGTH_MAX),
  }),
  request_callback: z.object({
    number: optionalText(NUMBER_LENGTH_MAX),
    when: optionalText(WHEN_LENGTH_MAX),
    target: optionalText(ID_LENGTH_MAX),
  }),
  send_text: z.object({ knowledge_entry_id: requiredText(ID_LENGTH_MAX) }),
  hand_over: z.object({}),
  end_call: z.object({}),
} satisfies Record<ToolName, z.ZodType>;

/** Which of the tools an assistant may use. */
export function allowedTools({ actions }: Pick<SessionFacts['assistant'], 'actions'>): ToolName[] {
  const reachesPeople = actions.transfer || actions.takeMessage || actions.requestCallback;
  const allowed: Record<ToolName, boolean> = {
    find_person: reachesPeople,
    transfer_call: actions.transfer,
    take_message: actions.takeMessage,
    request_callback: actions.requestCallback,
    send_text: actions.sendText,
    hand_over: true,
    end_call: true,
  };
  return (Object.keys(descriptions) as ToolName[]).filter((name) => allowed[name]);
}

const described: Readonly<Record<string, string>> = {
  name: 'As the caller said it',
  target: 'An id from the data or from find_person',
  text: 'The message',
  caller_name: 'If the caller said it',
  callback_number: 'Only a number that the caller said; leave out for the number the caller calls from',
  number: 'Only a number that the caller said; leave out for the number the caller calls from',
  when: "In the caller's words",
  knowledge_entry_id: 'The id of an entry of the data',
};

/** The tools of a request, as OpenAI's API has them. */
export function toolDefinitions(names: readonly ToolName[]) {
  return names.map((name) => {
    const { shape } = argumentsOf[name] as z.ZodObject;
    const properties = Object.fromEntries(
      Object.keys(shape).map((each) => [each, { type: 'string', description: described[each] }]),
    );
    const required = Object.keys(shape).filter((each) => !shape[each]!.safeParse(undefined).success);
    const parameters = { type: 'object', properties, required, additionalProperties: false };
    return { type: 'function', function: { name, description: descriptions[name], parameters } };
  });
}

/** A call of a tool as a model wrote it. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON, if the model is right. */
  readonly arguments: string;
}

/** Why a call is refused; the model is told so. */
export type ToolError = RequestRefusal | 'unknown_tool' | 'invalid_arguments';

/** What a call asks for. */
export type ToolRequest =
  | { readonly kind: 'find_person'; readonly name: string }
  | { readonly kind: 'action'; readonly action: RequestedAction }
  | { readonly kind: 'error'; readonly error: ToolError };

/** What calls are checked against. */
export interface ToolRules {
  readonly allowed: readonly ToolName[];
  /** Ids that the product gave in this session. */
  readonly targets: ReadonlySet<string>;
  /** Ids of entries that have a text. */
  readonly entries: ReadonlySet<string>;
  readonly callingRules: CallingRules;
  /** What the caller has said. */
  readonly callerWords: readonly string[];
  readonly language: string;
  readonly withoutSecrets: (text: string) => string;
}

const error = (reason: ToolError): ToolRequest => ({ kind: 'error', error: reason });

/** Decides by the allow list and by ids of this session what of a call may be asked of the product. */
export function readToolCall(call: ToolCall, rules: ToolRules): ToolRequest {
  const name = rules.allowed.find((each) => each === call.name);
  if (name === undefined) return error('unknown_tool');
  const given = argumentsOf[name].safeParse(parseArguments(call.arguments));
  if (!given.success) return error('invalid_arguments');
  const checked = { name, arguments: given.data } as Checked;
  const { target: to } = checked.arguments as { target?: string };
  if (to !== undefined && !rules.targets.has(to)) return error('unknown_target');
  if (checked.name === 'find_person') return { kind: 'find_person', name: checked.arguments.name };
  return actionOf(checked, rules);
}

type Checked = { [Name in ToolName]: { name: Name; arguments: z.output<(typeof argumentsOf)[Name]> } }[ToolName];

function actionOf(checked: Exclude<Checked, { name: 'find_person' }>, rules: ToolRules): ToolRequest {
  switch (checked.name) {
    case 'transfer_call':
      return { kind: 'action', action: { name: 'transfer_call', arguments: checked.arguments } };
    case 'take_message': {
      const { text, caller_name: callerName, callback_number: written, target: to } = checked.arguments;
      const number = written === undefined ? undefined : spokenNumber(written, rules);
      if (written !== undefined && number === undefined) return error('invalid_number');
      const message = {
        text: rules.withoutSecrets(text),
        ...(callerName !== undefined && { caller_name: rules.withoutSecrets(callerName) }),
        ...(number !== undefined && { callback_number: number }),
        ...(to !== undefined && { target: to }),
      };
      return { kind: 'action', action: { name: 'take_message', arguments: message } };
    }
    case 'request_callback': {
      const { number: written, when, target: to } = checked.arguments;
      const number = written === undefined ? undefined : spokenNumber(written, rules);
      if (written !== undefined && number === undefined) return error('invalid_number');
      const callback = {
        ...(number !== undefined && { number }),
        ...(when !== undefined && { when: rules.withoutSecrets(when) }),
        ...(to !== undefined && { target: to }),
      };
      return { kind: 'action', action: { name: 'request_callback', arguments: callback } };
    }
    case 'send_text':
      if (!rules.entries.has(checked.arguments.knowledge_entry_id)) return error('unknown_entry');
      return { kind: 'action', action: { name: 'send_text', arguments: checked.arguments } };
    case 'hand_over':
      return { kind: 'action', action: { name: 'hand_over', arguments: {}, reason: 'requested' } };
    case 'end_call':
      return { kind: 'action', action: { name: 'end_call', arguments: {} } };
  }
}

/** So many groups of digits may one number be said in. */
const GROUPS_MAX = 6;

/** E.164 of a number that the caller has said and the company may call: a model never chooses one. */
function spokenNumber(written: string, { callingRules, callerWords, language }: ToolRules): string | undefined {
  const read = readCallableNumber(written, callingRules);
  if (typeof read === 'string' || read.isEmergency) return undefined;
  const isMeant = (digits: string) =>
    read.to.endsWith(digits) &&
    ['', '0', '+'].some((prefix) => {
      const said = readCallableNumber(prefix + digits, callingRules);
      return typeof said !== 'string' && said.to === read.to;
    });
  return callerWords.some((text) => digitsSaid(text, language).some(isMeant)) ? read.to : undefined;
}

/** The digits of every number in a text, and of numbers that follow each other: `20 30, 40 50`. */
function digitsSaid(text: string, language: string): string[] {
  const groups = readFigures(text, language).flatMap((figure) => (figure.kind === 'number' ? [figure.digits] : []));
  return groups.flatMap((_, from) =>
    Array.from({ length: GROUPS_MAX }, (_each, more) => groups.slice(from, from + more + 1).join('')),
  );
}

function parseArguments(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
