import type { Target } from '../engine.ts';
import { type HeardTarget, isLikely } from '../hearing/find-targets.ts';
import type { Choice, PersonPurpose, Purpose } from '../state.ts';
import type { TurnDraft } from '../turn-draft.ts';
import { handOver } from './hand-over.ts';
import { offer, offersOf } from './offers.ts';
import { beginMessage } from './message-task.ts';
import { spokenList } from '../speaking/spoken-figures.ts';
import { sentencesOf } from '../words/vocabularies.ts';

const TRIES_MAX = 2;
const ASKED_MAX = 3;
const NAMES_SAID_MAX = 8;

/** What is done once it is known who is meant. */
interface Wanted {
  readonly purpose: PersonPurpose;
  /** What was said, for a question that nothing fits. */
  readonly asked: string;
  /** The message, where it was said at once. */
  readonly text?: string | null;
}

/** Whoever's name was heard: rung if it was heard exactly, confirmed if not, asked which if it may be several. */
export function meetTarget(draft: TurnDraft, found: readonly HeardTarget[], wanted: Wanted): void {
  const [first, second] = found;
  if (!first) return askWhomAgain(draft, wanted.purpose);
  if (!second && first.exact) return actOnTarget(draft, first.target, wanted.purpose, wanted.text ?? null);
  if (wanted.purpose === 'message' && !second && isLikely(first))
    return actOnTarget(draft, first.target, 'message', wanted.text ?? null);
  const choices = found
    .slice(0, second ? ASKED_MAX : 1)
    .map(({ target }): Choice => ({ kind: 'target', id: target.id }));
  askWhich(draft, choices, wanted);
}

function askWhich(draft: TurnDraft, choices: readonly Choice[], { purpose, asked }: Wanted): void {
  const names = choices.map(({ kind, ...choice }) =>
    kind === 'target' && 'id' in choice ? (draft.target(choice.id)?.name ?? '') : '',
  );
  const [first = '', second = '', third] = names;
  if (names.length === 1) draft.say('do_you_mean', { topic: first });
  else draft.say('do_you_mean_or', { a: third === undefined ? first : `${first}, ${second}`, b: third ?? second });
  draft.ask({ kind: 'choice', choices, purpose, asked }, names.length === 1 ? 'yes_no' : 'choice');
}

export function actOnTarget(draft: TurnDraft, target: Target, purpose: Purpose, text: string | null = null): void {
  if (purpose === 'message') return beginMessage(draft, { target: target.id, text });
  ring(draft, target);
}

/** Rings somebody: said first, to its end. */
function ring(draft: TurnDraft, target: Target): void {
  const { facts, state } = draft;
  draft.change({ task: null });
  if (!facts.assistant.actions.transfer) {
    draft.say('no_transfers');
    draft.change({ done: { ...state.done, isOpen: true } });
    return offerInstead(draft, target);
  }
  const tries = state.transfers[target.id] ?? 0;
  if (tries >= TRIES_MAX) {
    draft.say('tried_twice', { name: target.name });
    return offerInstead(draft, target);
  }
  draft.say('ringing', { name: target.name }, { interruptible: false });
  draft.ask(null, 'anything');
  draft.change({ transfers: { ...state.transfers, [target.id]: tries + 1 }, done: { ...state.done, isOpen: true } });
  draft.perform({ name: 'transfer_call', arguments: { target: target.id } });
}

/** A message for somebody who cannot be reached, or what else may be offered. */
export function offerInstead(draft: TurnDraft, target: Target): void {
  if (draft.facts.assistant.actions.takeMessage) return offer(draft, [{ kind: 'message', target: target.id }]);
  if (draft.facts.assistant.actions.requestCallback) return offer(draft, [{ kind: 'callback' }]);
  offer(draft, offersOf(draft));
}

/** Somebody is wanted, and not said who. */
export function askWhom(draft: TurnDraft, purpose: PersonPurpose): void {
  const { facts } = draft;
  if (!facts.assistant.actions.transfer || facts.targets.length === 0) return handOver(draft, 'requested');
  const { parts } = sentencesOf(draft.language);
  const names = teamNames(draft);
  if (names.length > 0) draft.say('people', { names: spokenList(names, parts.or) });
  draft.say('whom');
  draft.ask({ kind: 'whom', purpose }, 'name');
}

/** Names of employees are not listed to strangers. */
function teamNames({ facts }: TurnDraft): string[] {
  return facts.targets
    .filter(({ type }) => type === 'transfer_target')
    .slice(0, NAMES_SAID_MAX)
    .map(({ name }) => name);
}

export function sayPeople(draft: TurnDraft): void {
  const names = teamNames(draft);
  if (names.length === 0 || !draft.facts.assistant.actions.transfer) return askWhom(draft, 'transfer');
  draft.say('people', { names: spokenList(names, sentencesOf(draft.language).parts.or) });
  draft.say('whom');
  draft.ask({ kind: 'whom', purpose: 'transfer' }, 'name');
}

function askWhomAgain(draft: TurnDraft, purpose: PersonPurpose): void {
  draft.understood = false;
  draft.say('unknown_person');
  if (purpose === 'transfer' && !draft.facts.assistant.actions.transfer) return offer(draft, offersOf(draft));
  draft.say('whom');
  draft.ask({ kind: 'whom', purpose }, 'name');
}
