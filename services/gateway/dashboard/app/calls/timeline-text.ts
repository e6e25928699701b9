import type { CallTimelineEntry } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { assistantOutcomeText, fallbackReasonText } from './assistant-text.ts';

/** Selects the icon of a step. */
export type StepKind =
  | 'arrived'
  | 'key'
  | 'heard'
  | 'ringing'
  | 'answered'
  | 'held'
  | 'transfer'
  | 'assistant'
  | 'voicemail'
  | 'recording'
  | 'ended';

export interface Step {
  readonly at: string;
  readonly kind: StepKind;
  readonly text: string;
  /** True for the few steps of the short form. */
  readonly isMain: boolean;
}

/** The people and the number of a call, by name. */
export interface Names {
  readonly person: string;
  readonly number: string;
  readonly direction: 'inbound' | 'outbound';
  readonly employee: (id: string) => string | undefined;
}

type Entry = Pick<CallTimelineEntry, 'at' | 'type' | 'what' | 'detail' | 'employee_id'>;

const MAIN_MAX = 6;

/** The outcomes with which an assistant itself ends a call. */
const GOODBYES: readonly (string | undefined)[] = ['resolved', 'message_taken', 'callback_requested', 'abandoned'];

/** The steps of a call in words for users; technical entries are left out. */
export function timelineSteps(entries: readonly Entry[], names: Names): readonly Step[] {
  const steps: Step[] = [];
  let hasHungUp = false;
  /** Phones without an employee that left because of the assistant: its own, and after its goodbye the caller's. */
  let unspoken = 0;
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index]!;
    if (isOffer(entry)) {
      // Phones that begin to ring together are one step.
      const ringing = [entry];
      while (index + 1 < entries.length && isOffer(entries[index + 1]!)) ringing.push(entries[++index]!);
      steps.push(ringingStep(ringing, names));
      continue;
    }
    if (entry.type === 'assistant' && entry.what === 'assistant_left' && !hasHungUp)
      unspoken = GOODBYES.includes(entry.detail) ? Infinity : 1;
    if (isEndOfLeg(entry) && entry.employee_id === undefined && unspoken > 0) {
      unspoken -= 1;
      continue;
    }
    if (isEndOfLeg(entry)) {
      if (!hasHungUp && endsCall(entries, index)) steps.push(hungUpStep(entry, names));
      else if (!hasHungUp) steps.push(leftStep(entry, names));
      hasHungUp ||= endsCall(entries, index);
      continue;
    }
    if (isConnected(entry) && entries.slice(0, index).some(isConnected)) {
      steps.push({ at: entry.at, kind: 'assistant', text: t('The assistant went on'), isMain: false });
      continue;
    }
    const step = stepOf(entry, names);
    if (step) steps.push(hasHungUp && step.kind === 'ended' ? { ...step, isMain: false } : step);
  }
  return steps;
}

/** The current supervisor of a call, and the mode. */
export function supervisionIn(
  entries: readonly Entry[],
): { readonly employeeId: string | undefined; readonly mode: string; readonly isRinging: boolean } | undefined {
  const all = entries.filter(({ type }) => type === 'supervision');
  const begun = all.findLastIndex(({ what }) => what === 'supervision_requested');
  const current = all.slice(begun);
  const last = current.at(-1);
  if (begun < 0 || !last || last.what === 'supervision_ended') return undefined;
  const isRinging = current.every(({ what }) => what !== 'supervision_started');
  return { employeeId: last.employee_id, mode: last.detail ?? '', isRinging };
}

const TAKEOVERS = ['takeover_requested', 'takeover_answered', 'takeover_ended'];

/** The id of the employee whose phones ring to take the call over from the assistant. */
export function takeoverIn(entries: readonly Entry[]): string | undefined {
  const last = entries.findLast(({ type, what }) => type === 'assistant' && TAKEOVERS.includes(what));
  return last?.what === 'takeover_requested' ? last.employee_id : undefined;
}

/** The few steps that tell the story: the first and the last ones of those that matter. */
export function mainSteps(steps: readonly Step[]): readonly Step[] {
  const main = steps.filter(({ isMain }) => isMain);
  if (main.length <= MAIN_MAX) return main;
  return [...main.slice(0, MAIN_MAX / 2), ...main.slice(-MAIN_MAX / 2)];
}

const isOffer = ({ type, what }: Entry) => type === 'offer' && what === 'offer_made';
const isConnected = ({ type, what }: Entry) => type === 'assistant' && what === 'assistant_connected';
const isEndOfLeg = ({ type, what }: Entry) => type === 'leg' && what === 'leg_ended';

/** True when the departure of a phone ended the call: nothing but the end follows. */
function endsCall(entries: readonly Entry[], index: number): boolean {
  const next = entries.slice(index + 1).find(({ type }) => type === 'state' || type === 'transfer');
  return next?.type === 'state' && next.what === 'ended';
}

function ringingStep(entries: readonly Entry[], names: Names): Step {
  const who = [...new Set(entries.map((entry) => nameOf(entry, names)))];
  const text =
    who.length === 1
      ? t('{name} was ringing', { name: who[0]! })
      : who.length === 2
        ? t('{first} and {second} were ringing', { first: who[0]!, second: who[1]! })
        : t('{first} and {count} others were ringing', { first: who[0]!, count: who.length - 1 });
  return { at: entries[0]!.at, kind: 'ringing', text, isMain: true };
}

function hungUpStep(entry: Entry, names: Names): Step {
  return { at: entry.at, kind: 'ended', text: t('{name} hung up', { name: nameOf(entry, names) }), isMain: true };
}

function leftStep(entry: Entry, names: Names): Step {
  return {
    at: entry.at,
    kind: 'ended',
    text: t('{name} left the call', { name: nameOf(entry, names) }),
    isMain: false,
  };
}

function nameOf({ employee_id: id }: Entry, names: Names): string {
  return id === undefined ? names.person : (names.employee(id) ?? t('A former employee'));
}

function stepOf(entry: Entry, names: Names): Step | undefined {
  const found = describe(entry, names);
  return found && { at: entry.at, kind: found[0], text: found[1], isMain: found[2] };
}

type StepText = readonly [kind: StepKind, text: string, isMain: boolean];

function describe(entry: Entry, names: Names): StepText | undefined {
  const name = nameOf(entry, names);
  const reason = fallbackReasonText(entry.detail ?? null) ?? t('a technical failure');
  const steps: Readonly<Record<string, StepText | undefined>> = {
    'state initiated':
      names.direction === 'inbound'
        ? ['arrived', t('Call arrived on {number}', { number: names.number }), true]
        : ['arrived', t('Call from {number}', { number: names.number }), true],
    'state queued': ['heard', t('Waited for somebody to answer'), false],
    'state playing_audio': ['heard', t('Heard a message'), true],
    'state recording': ['voicemail', t('Began a voicemail'), false],
    'state answered':
      names.direction === 'outbound' ? ['answered', t('{name} answered', { name: names.person }), true] : undefined,
    'state bridged': ['answered', t('Connected'), false],
    'state ended': ['ended', t('The call ended'), true],
    'input key': ['key', t('Pressed {key}', { key: entry.detail ?? '' }), true],
    'input callback_requested': ['key', t('Asked to be called back'), true],
    'state callback_calling': ['ringing', t('{name} was called back', { name: names.person }), true],
    'state callback_given_up': ['ended', t('The callback was given up'), true],
    'input no_key': ['key', t('Pressed no key'), true],
    'offer offer_answered': ['answered', t('{name} answered', { name }), true],
    'offer offer_declined': ['ringing', t('{name} declined', { name }), true],
    'offer offer_withdrawn': ['ringing', t('{name} stopped ringing', { name }), false],
    'offer offer_ended': ['ringing', t('{name} stopped ringing', { name }), false],
    'transfer ringing': ['transfer', t('Transfer to {name} began', { name }), false],
    'transfer consulting': ['transfer', t('{name} took the transfer', { name }), false],
    'transfer completed': ['transfer', t('Transferred to {name}', { name }), true],
    'transfer cancelled': ['transfer', t('Transfer to {name} was cancelled', { name }), false],
    'transfer failed': ['transfer', t('{name} could not be reached', { name }), true],
    'hold held': ['held', t('{name} put the call on hold', { name }), false],
    'hold resumed': ['answered', t('{name} continued the call', { name }), false],
    'recording recording_paused': ['recording', t('{name} paused the recording', { name }), false],
    'recording recording_resumed': ['recording', t('{name} continued the recording', { name }), false],
    'hold hold_refused': ['answered', t('The call could not be put on hold'), true],
    'recording recording_pause_refused': ['recording', t('The recording could not be paused'), true],
    'recording recording_resume_refused': ['recording', t('The recording could not be continued'), true],
    'supervision supervision_started': ['heard', t('{name} supervises the call', { name }), true],
    'supervision supervision_mode_changed': ['heard', t('{name} supervises the call in another way', { name }), false],
    'supervision supervision_ended': ['heard', t('{name} no longer supervises the call', { name }), false],
    'assistant assistant_connected': ['assistant', t('The assistant answered'), true],
    'assistant session_refused': ['assistant', t('The assistant did not answer: {reason}', { reason }), true],
    'assistant assistant_lost': ['assistant', t('The assistant lost its connection'), true],
    'assistant transfer_started': [
      'transfer',
      t('The assistant called {name}', { name: entry.detail ?? t('somebody') }),
      false,
    ],
    'assistant transfer_unavailable': [
      'transfer',
      t('{name} was not available', { name: entry.detail ?? t('somebody') }),
      true,
    ],
    'assistant callback_promised': ['key', t('Asked to be called back'), true],
    'assistant takeover_requested': ['ringing', t('{name} wants to take over', { name }), false],
    'assistant takeover_answered': ['answered', t('{name} took over', { name }), true],
    'assistant takeover_ended': ['ringing', t('{name} did not take over', { name }), false],
    'assistant assistant_left': ['assistant', assistantLeft(entry.detail), true],
    'leg phone_missing': ['ended', t('A phone lost its connection'), true],
    'leg phone_returned': ['answered', t('{name} is back', { name }), true],
    'recording recording_ordered': ['recording', t('Recording began'), false],
    'recording recording_stopped': ['recording', t('Recording ended'), false],
    'recording recording_stored': ['recording', t('Recording is ready'), false],
    'recording recording_missing': ['recording', t('There is no recording'), true],
    'recording recording_refused': ['recording', t('There is no recording'), true],
    'recording recording_not_announced': ['recording', t('There is no recording'), true],
    'recording transcribed': ['recording', t('Transcript is ready'), false],
    'recording voicemail_left': ['voicemail', t('Left a voicemail'), true],
    'recording voicemail_deleted': ['voicemail', t('Said nothing after the tone'), true],
    'timer no_answer': ['ringing', t('Nobody answered in time'), true],
  };
  return steps[`${entry.type} ${entry.what}`];
}

/** `detail` is an outcome, or why the call went on without the assistant. */
function assistantLeft(detail: string | undefined): string {
  const reason = fallbackReasonText(detail ?? null);
  if (reason !== undefined) return t('The assistant left: {reason}', { reason });
  return assistantOutcomeText(detail ?? null) ?? t('The assistant left');
}
