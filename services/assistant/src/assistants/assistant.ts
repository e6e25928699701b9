import { isDeepStrictEqual } from 'node:util';
import { type Audited, type AuditEntry, type AuditType, changedFields } from '@parley/actor';
import { type Decision, decided, type Refusal, refusal, refused } from '@parley/errors';
import { collectProblems, type Problems } from '../fields/problems.ts';
import { defaultDisclosure, isLanguage, type Language } from '../words/languages.ts';
import {
  checkTargets,
  replaceTargets,
  type TargetFacts,
  type TransferTarget,
  withoutEmployee,
  type WrittenTarget,
} from './transfer-target.ts';

/** What an assistant may do. */
export interface AssistantActions {
  readonly transfer: boolean;
  readonly takeMessage: boolean;
  readonly requestCallback: boolean;
  readonly sendText: boolean;
}

/** What answers the phone. */
export interface Assistant {
  readonly id: string;
  readonly companyId: string;
  readonly name: string;
  readonly language: Language;
  readonly disclosure: string;
  readonly greeting: string;
  /** For language models only. */
  readonly instructions: string;
  /** Null for the voice of the language. */
  readonly voice: string | null;
  readonly engine: 'auto' | 'embedded';
  readonly actions: AssistantActions;
  readonly transferTargets: readonly TransferTarget[];
  readonly reachEmployeesByName: boolean;
  readonly recogniseCallers: boolean;
  readonly keepTranscript: boolean;
  readonly maxDurationSecs: number;
  readonly silenceSecs: number;
  readonly active: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Orders assistants by creation, also within a millisecond. */
  readonly createdOrder: number;
  /** Unique within the company and below the cap, which makes the cap exact. */
  readonly slot: number;
  /** Everyone its targets ring; derived from them, for queries. */
  readonly targetIds: readonly string[];
  /** Until when, by the machine's clock, a deletion in progress keeps numbers from choosing it; null without one. */
  readonly leavingUntil: Date | null;
}

export interface AssistantEvent extends Audited {
  readonly type: 'assistant.assistant.created' | 'assistant.assistant.updated' | 'assistant.assistant.deleted';
  readonly assistant: Assistant;
}

/** The fields a user edits; of a change those that stay are absent, and actions are merged. */
export type AssistantChange = Partial<
  Pick<
    Assistant,
    | 'name'
    | 'disclosure'
    | 'greeting'
    | 'instructions'
    | 'voice'
    | 'engine'
    | 'reachEmployeesByName'
    | 'recogniseCallers'
    | 'keepTranscript'
    | 'maxDurationSecs'
    | 'silenceSecs'
    | 'active'
  >
> & {
  readonly language?: string;
  readonly actions?: Partial<AssistantActions>;
  readonly transferTargets?: readonly WrittenTarget[];
};

/** What is known about a change, from services that own it. */
export interface AssistantFacts extends TargetFacts {
  readonly languages: readonly string[];
  readonly voices: readonly string[];
  readonly newTargetId: () => string;
  readonly now: Date;
}

type AssistantDecision = Decision<Assistant, AssistantEvent>;

const NAME_LENGTH_MAX = 40;
const DISCLOSURE_LENGTH_MAX = 200;
const GREETING_LENGTH_MAX = 500;
const INSTRUCTIONS_LENGTH_MAX = 4000;
const DURATION_SECS = { min: 60, max: 1800 };
const SILENCE_SECS = { min: 4, max: 20 };

const defaults = {
  instructions: '',
  voice: null,
  engine: 'auto',
  transferTargets: [],
  reachEmployeesByName: true,
  recogniseCallers: true,
  keepTranscript: true,
  maxDurationSecs: 600,
  silenceSecs: 7,
  active: true,
} as const;

const defaultActions = { transfer: true, takeMessage: true, requestCallback: true, sendText: false };

export function createAssistant(
  identity: Pick<Assistant, 'id' | 'companyId' | 'createdOrder' | 'slot'>,
  fields: AssistantChange,
  facts: AssistantFacts,
): AssistantDecision {
  const problems = collectProblems();
  for (const field of ['name', 'greeting'] as const)
    if (fields[field] === undefined) problems.add(field, 'is required');
  const notAllowed = checkChange(fields, facts, problems);
  const refusedWith = problems.refusal() ?? notAllowed;
  if (refusedWith) return refused(refusedWith);
  const language = languageOf(fields.language ?? 'en');
  const assistant = withDerived({
    ...identity,
    ...defaults,
    name: '',
    greeting: '',
    ...withoutUndefined(fields),
    language,
    disclosure: fields.disclosure ?? defaultDisclosure(language),
    actions: { ...defaultActions, ...fields.actions },
    transferTargets: replaceTargets([], fields.transferTargets ?? [], facts, facts.newTargetId),
    targetIds: [],
    leavingUntil: null,
    createdAt: facts.now,
    updatedAt: facts.now,
  });
  return decided(assistant, [eventOf('assistant.assistant.created', undefined, assistant)]);
}

/** A change without effect emits no event. */
export function updateAssistant(current: Assistant, change: AssistantChange, facts: AssistantFacts): AssistantDecision {
  const problems = collectProblems();
  const notAllowed = checkChange(change, facts, problems);
  const refusedWith = problems.refusal() ?? notAllowed;
  if (refusedWith) return refused(refusedWith);
  const language = change.language === undefined ? current.language : languageOf(change.language);
  const { transferTargets } = change;
  const assistant = withDerived({
    ...current,
    ...withoutUndefined(change),
    language,
    disclosure: change.disclosure ?? disclosureIn(language, current),
    actions: { ...current.actions, ...change.actions },
    transferTargets: transferTargets
      ? replaceTargets(current.transferTargets, transferTargets, facts, facts.newTargetId)
      : current.transferTargets,
  });
  return changed(current, assistant, facts.now);
}

/** Somebody was removed from the company. */
export function removeEmployee(current: Assistant, employeeId: string, now: Date): AssistantDecision {
  const transferTargets = withoutEmployee(current.transferTargets, employeeId);
  return changed(current, withDerived({ ...current, transferTargets }), now);
}

/** From now on numbers cannot choose it. */
export function beginDeletion(current: Assistant, until: Date): AssistantDecision {
  return decided({ ...current, leavingUntil: until });
}

/** The deletion was refused. */
export function cancelDeletion(current: Assistant): AssistantDecision {
  return decided({ ...current, leavingUntil: null });
}

export function isBeingDeleted({ leavingUntil }: Assistant, machineNow: Date): boolean {
  return leavingUntil !== null && leavingUntil > machineNow;
}

/** Refused once the mark has expired: a number may have chosen it since the check. */
export function deleteAssistant(current: Assistant, machineNow: Date): Decision<null, AssistantEvent> {
  if (!isBeingDeleted(current, machineNow)) return refused(refusal('conflict', 'the deletion took too long'));
  return decided(null, [eventOf('assistant.assistant.deleted', current, undefined)]);
}

function changed(current: Assistant, next: Assistant, now: Date): AssistantDecision {
  if (isDeepStrictEqual(current, next)) return decided(current);
  const assistant = { ...next, updatedAt: now };
  return decided(assistant, [eventOf('assistant.assistant.updated', current, assistant)]);
}

/** Adds every problem at once; returns a refusal where nothing else is wrong with a phone number. */
function checkChange(change: AssistantChange, facts: AssistantFacts, problems: Problems): Refusal | undefined {
  const { name, language, disclosure, greeting, instructions, voice, maxDurationSecs, silenceSecs } = change;
  if (name !== undefined) problems.text('name', name, NAME_LENGTH_MAX);
  if (language !== undefined && !facts.languages.includes(language))
    problems.add('language', `must be one of ${facts.languages.join(', ')}`);
  if (disclosure !== undefined) problems.text('disclosure', disclosure, DISCLOSURE_LENGTH_MAX);
  if (greeting !== undefined) problems.text('greeting', greeting, GREETING_LENGTH_MAX);
  if (instructions !== undefined) problems.text('instructions', instructions, INSTRUCTIONS_LENGTH_MAX, { blank: true });
  if (voice !== undefined && voice !== null && !facts.voices.includes(voice))
    problems.add('voice', facts.voices.length > 0 ? `must be one of ${facts.voices.join(', ')}` : 'is not known');
  checkRange('max_duration_secs', maxDurationSecs, DURATION_SECS, problems);
  checkRange('silence_secs', silenceSecs, SILENCE_SECS, problems);
  return change.transferTargets && checkTargets(change.transferTargets, facts, problems);
}

function checkRange(
  field: string,
  value: number | undefined,
  { min, max }: { min: number; max: number },
  problems: Problems,
): void {
  if (value !== undefined && (value < min || value > max)) problems.add(field, `must be between ${min} and ${max}`);
}

/** The default follows the language; words of the company stay. */
function disclosureIn(language: Language, current: Assistant): string {
  const isDefault = current.disclosure === defaultDisclosure(current.language);
  return isDefault ? defaultDisclosure(language) : current.disclosure;
}

function languageOf(code: string): Language {
  return isLanguage(code) ? code : 'en';
}

function withDerived(assistant: Assistant): Assistant {
  return { ...assistant, targetIds: [...new Set(assistant.transferTargets.flatMap(({ employeeIds }) => employeeIds))] };
}

function withoutUndefined<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}

/** At least one of the two states is present. */
function eventOf(
  type: AssistantEvent['type'],
  before: Assistant | undefined,
  after: Assistant | undefined,
): AssistantEvent {
  const assistant = (after ?? before)!;
  const auditType = type.replace('assistant.assistant.', 'assistant.') as Extract<AuditType, `assistant.${string}`>;
  return { type, assistant, audit: auditOf(auditType, before, after) };
}

/** Texts, and whom it transfers to, are recorded as changed only: targets have phone numbers of other people. */
function auditOf(type: AuditType, before: Assistant | undefined, after: Assistant | undefined): AuditEntry {
  const { id = '', name = '' } = after ?? before ?? {};
  const changes = changedFields(auditedFields(before), auditedFields(after), {
    hidden: ['disclosure', 'greeting', 'instructions', 'transfer_targets'],
  });
  return { type, object: { type: 'assistant', id, name }, changes };
}

function auditedFields(assistant: Assistant | undefined): Record<string, unknown> {
  if (!assistant) return {};
  return {
    name: assistant.name,
    language: assistant.language,
    disclosure: assistant.disclosure,
    greeting: assistant.greeting,
    instructions: assistant.instructions,
    voice: assistant.voice,
    engine: assistant.engine,
    actions: assistant.actions,
    transfer_targets: assistant.transferTargets,
    reach_employees_by_name: assistant.reachEmployeesByName,
    recognise_callers: assistant.recogniseCallers,
    keep_transcript: assistant.keepTranscript,
    max_duration_secs: assistant.maxDurationSecs,
    silence_secs: assistant.silenceSecs,
    active: assistant.active,
  };
}
