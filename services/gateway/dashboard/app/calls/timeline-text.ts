import type { CallTimelineEntry } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';

/** Selects the icon of a step. */
export type StepKind =
  | 'arrived'
  | 'key'
  | 'heard'
  | 'ringing'
  | 'answered'
  | 'held'
  | 'transfer'
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

/** The steps of a call in words for users; technical entries are left out. */
export function timelineSteps(entries: readonly Entry[], names: Names): readonly Step[] {
  const steps: Step[] = [];
  let hasHungUp = false;
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index]!;
    if (isOffer(entry)) {
      // Phones that begin to ring together are one step.
      const ringing = [entry];
      while (index + 1 < entries.length && isOffer(entries[index + 1]!)) ringing.push(entries[++index]!);
      steps.push(ringingStep(ringing, names));
      continue;
    }
    if (isEndOfLeg(entry)) {
      if (!hasHungUp && endsCall(entries, index)) steps.push(hungUpStep(entry, names));
      else if (!hasHungUp) steps.push(leftStep(entry, names));
      hasHungUp ||= endsCall(entries, index);
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

/** The few steps that tell the story: the first and the last ones of those that matter. */
export function mainSteps(steps: readonly Step[]): readonly Step[] {
  const main = steps.filter(({ isMain }) => isMain);
  if (main.length <= MAIN_MAX) return main;
  return [...main.slice(0, MAIN_MAX / 2), ...main.slice(-MAIN_MAX / 2)];
}

const isOffer = ({ type, what }: Entry) => type === 'offer' && what === 'offer_made';
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

function describe(entry: Entry, names: Names): readonly [StepKind, string, boolean] | undefined {
  const name = nameOf(entry, names);
  switch (`${entry.type} ${entry.what}`) {
    case 'state initiated':
      return names.direction === 'inbound'
        ? ['arrived', t('Call arrived on {number}', { number: names.number }), true]
        : ['arrived', t('Call from {number}', { number: names.number }), true];
    case 'state queued':
      return ['heard', t('Waited for somebody to answer'), false];
    case 'state playing_audio':
      return ['heard', t('Heard a message'), true];
    case 'state recording':
      return ['voicemail', t('Began a voicemail'), false];
    case 'state answered':
      return names.direction === 'outbound'
        ? ['answered', t('{name} answered', { name: names.person }), true]
        : undefined;
    case 'state bridged':
      return ['answered', t('Connected'), false];
    case 'state ended':
      return ['ended', t('The call ended'), true];
    case 'input key':
      return ['key', t('Pressed {key}', { key: entry.detail ?? '' }), true];
    case 'input callback_requested':
      return ['key', t('Asked to be called back'), true];
    case 'state callback_calling':
      return ['ringing', t('{name} was called back', { name: names.person }), true];
    case 'state callback_given_up':
      return ['ended', t('The callback was given up'), true];
    case 'input no_key':
      return ['key', t('Pressed no key'), true];
    case 'offer offer_answered':
      return ['answered', t('{name} answered', { name }), true];
    case 'offer offer_declined':
      return ['ringing', t('{name} declined', { name }), true];
    case 'offer offer_withdrawn':
    case 'offer offer_ended':
      return ['ringing', t('{name} stopped ringing', { name }), false];
    case 'transfer ringing':
      return ['transfer', t('Transfer to {name} began', { name }), false];
    case 'transfer consulting':
      return ['transfer', t('{name} took the transfer', { name }), false];
    case 'transfer completed':
      return ['transfer', t('Transferred to {name}', { name }), true];
    case 'transfer cancelled':
      return ['transfer', t('Transfer to {name} was cancelled', { name }), false];
    case 'transfer failed':
      return ['transfer', t('{name} could not be reached', { name }), true];
    case 'hold held':
      return ['held', t('{name} put the call on hold', { name }), false];
    case 'hold resumed':
      return ['answered', t('{name} continued the call', { name }), false];
    case 'recording recording_paused':
      return ['recording', t('{name} paused the recording', { name }), false];
    case 'recording recording_resumed':
      return ['recording', t('{name} continued the recording', { name }), false];
    case 'hold hold_refused':
      return ['answered', t('The call could not be put on hold'), true];
    case 'recording recording_pause_refused':
      return ['recording', t('The recording could not be paused'), true];
    case 'recording recording_resume_refused':
      return ['recording', t('The recording could not be continued'), true];
    case 'supervision supervision_started':
      return ['heard', t('{name} supervises the call', { name }), true];
    case 'supervision supervision_mode_changed':
      return ['heard', t('{name} supervises the call in another way', { name }), false];
    case 'supervision supervision_ended':
      return ['heard', t('{name} no longer supervises the call', { name }), false];
    case 'leg phone_missing':
      return ['ended', t('A phone lost its connection'), true];
    case 'leg phone_returned':
      return ['answered', t('{name} is back', { name }), true];
    case 'recording recording_ordered':
      return ['recording', t('Recording began'), false];
    case 'recording recording_stopped':
      return ['recording', t('Recording ended'), false];
    case 'recording recording_stored':
      return ['recording', t('Recording is ready'), false];
    case 'recording recording_missing':
    case 'recording recording_refused':
    case 'recording recording_not_announced':
      return ['recording', t('There is no recording'), true];
    case 'recording transcribed':
      return ['recording', t('Transcript is ready'), false];
    case 'recording voicemail_left':
      return ['voicemail', t('Left a voicemail'), true];
    case 'recording voicemail_deleted':
      return ['voicemail', t('Said nothing after the tone'), true];
    case 'timer no_answer':
      return ['ringing', t('Nobody answered in time'), true];
    default:
      return undefined;
  }
}
