import { emergencyNumberOf } from '@parley/phone-numbers';
import type { Heard } from './engine.ts';
import { isEmergency } from './hearing/emergency.ts';
import { hearWords, type HeardWords } from './hearing/heard-words.ts';
import { maskSecrets } from './hearing/mask-secrets.ts';
import { spokenDigits } from './speaking/spoken-figures.ts';
import { end, handOver } from './tasks/hand-over.ts';
import { askForMore } from './tasks/offers.ts';
import { tellResult } from './tasks/results.ts';
import { repeatQuestion } from './tasks/small-talk.ts';
import { hearCallbackNumber } from './tasks/callback-task.ts';
import { hearMessageSlot } from './tasks/message-task.ts';
import type { TurnDraft } from './turn-draft.ts';

/** How often it asks again before it says goodbye. */
const SILENCES_ASKED = 2;
/** Of what must be heard before a yes counts, hardly anything may be missing: recognised speech and its text differ a little. */
const HEARD_SHARE_MIN = 0.95;

/** What happens to a conversation beside words; the product decides about it, whichever engine answers. */
export function hearEvent(draft: TurnDraft, heard: Exclude<Heard, { kind: 'words' }>): void {
  switch (heard.kind) {
    case 'begin':
      return greet(draft);
    case 'resumed':
      draft.say('resumed');
      if (draft.state.pending === null && !repeatQuestion(draft)) draft.say('how_can_i_help');
      return;
    case 'keys':
      return hearKeys(draft, heard.digits);
    case 'silence':
      return hearSilence(draft);
    case 'unrecognised':
      draft.understood = false;
      draft.change({ silences: 0 });
      draft.say('not_understood');
      repeatQuestion(draft);
      return;
    case 'interrupted':
      draft.change({ lastHeard: wasHeard(draft, heard.spoken) });
      return;
    case 'action_result': {
      const { pending } = draft.state;
      if (pending?.id === heard.actionId) tellResult(draft, pending, heard.result);
      return;
    }
    case 'time_warning':
      draft.say('time_warning');
      return;
    case 'time_over':
      draft.say('time_over', undefined, { interruptible: false });
      end(draft);
      draft.perform({ name: 'hand_over', arguments: {}, reason: 'limit_duration' });
  }
}

/** Disclosure first, then the greeting, with the caller's name if it is known. */
function greet(draft: TurnDraft): void {
  const { assistant, caller } = draft.facts;
  draft.sayText(assistant.disclosure, { interruptible: false });
  const greeting = greetingFor(assistant.greeting, caller.name !== null);
  if (caller.name !== null) draft.say('hello_name', { name: firstName(caller.name) });
  if (greeting !== '') draft.sayText(greeting);
}

const TITLE = /\.$|^(?:dr|mr|mrs|ms|miss|prof|herr|frau|hr|fru)$/i;

/** People are greeted by their first name; "Dr. Hansen" is not "Dr". */
function firstName(name: string): string {
  const [first = name] = name.trim().split(/\s+/);
  return TITLE.test(first) ? name : first;
}

const HELLO = /^(?:hello|hi|hey|hej|goddag|hallo|guten tag)(?: there)?\s*[,.!–-]+\s*/i;

/** After "Hello Jane" a greeting does not begin with another hello. */
export function greetingFor(greeting: string, withName: boolean): string {
  const rest = withName ? greeting.replace(HELLO, '') : greeting;
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

/** `0` is the fallback, except as a digit of a number. Digits answer a request for a number; other keys do nothing. */
function hearKeys(draft: TurnDraft, digits: string): void {
  const { question, task } = draft.state;
  if (digits === '0') {
    draft.change({ silences: 0 });
    return handOver(draft, 'key');
  }
  const isAsked =
    (question?.kind === 'slot' && question.slot === 'number') || (question?.kind === 'own_number' && digits.length > 1);
  if (!isAsked) return;
  draft.change({ silences: 0 });
  // What was keyed in is a number of its own, not the rest of one that was said.
  if (question.kind === 'slot') draft.change({ question: { ...question, digits: '' } });
  if (task?.kind === 'callback') hearCallbackNumber(draft, task, hearWords(digits));
  else if (task?.kind === 'message') hearMessageSlot(draft, task, 'number', hearWords(digits));
}

function hearSilence(draft: TurnDraft): void {
  const silences = draft.state.silences + 1;
  draft.change({ silences });
  if (silences > SILENCES_ASKED) {
    draft.say('silence_goodbye', undefined, { interruptible: false });
    end(draft);
    draft.perform({ name: 'hand_over', arguments: {}, reason: 'silence' });
    return;
  }
  if (silences === 1 && draft.state.question === null && draft.state.done.answered) return askForMore(draft);
  draft.say('still_there');
  repeatQuestion(draft);
}

/** Whether all but the last sentence, a question such as "is that right?", was heard. */
function wasHeard(draft: TurnDraft, spoken: string): boolean {
  const sentences = draft.state.last.map(({ text }) => text);
  const needed = sentences.length > 1 ? sentences.slice(0, -1).join(' ') : sentences.join(' ');
  return lettersIn(spoken) >= lettersIn(needed) * HEARD_SHARE_MIN;
}

function lettersIn(text: string): number {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, '').length;
}

/**
 * Words that are the product's whichever engine answers: emergencies, and secrets, which no engine is told. True when the turn is
 * decided. The words without secrets are in `draft.heard`.
 */
export function hearDangerousWords(draft: TurnDraft, text: string): boolean {
  const { state } = draft;
  const asksForNumber = state.expects === 'number';
  const { text: heard, masked } = maskSecrets(text, asksForNumber ? '' : state.heard);
  draft.heard = heard;
  draft.masked = masked;
  draft.change({ heard, silences: 0 });
  const words: HeardWords = hearWords(heard);
  if (isEmergency(words, draft.language)) {
    sayEmergencyNumber(draft);
    return true;
  }
  if (!masked) return false;
  draft.say('secrets');
  if (!repeatQuestion(draft)) draft.say('how_can_i_help');
  return true;
}

function sayEmergencyNumber(draft: TurnDraft): void {
  const number = emergencyNumberOf(draft.facts.company.callingRules.country);
  draft.say('emergency', { number: spokenDigits(number) }, { interruptible: false });
  end(draft);
  draft.perform({ name: 'hand_over', arguments: {}, reason: 'emergency' });
}
