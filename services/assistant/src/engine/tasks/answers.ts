import type { KnowledgeEntryFacts } from '../engine.ts';
import { answerHours } from '../opening/answer-hours.ts';
import type { Choice } from '../state.ts';
import type { TurnDraft } from '../turn-draft.ts';
import { sentencesOf } from '../words/vocabularies.ts';
import { offer, offersOf } from './offers.ts';
import { offerText } from './send-text.ts';

/** What an entry says; the third time it is asked for, that there is no more to say. */
export function answerEntry(draft: TurnDraft, entry: KnowledgeEntryFacts): void {
  draft.ask(null, 'anything');
  if (!draft.sayText(entry.answer, { sources: [{ type: 'knowledge_entry', id: entry.id }] })) return sayNoMore(draft);
  markAnswered(draft);
  offerText(draft, entry);
}

/** `plain`: the question. */
export function answerHoursQuestion(draft: TurnDraft, plain: string): void {
  const { facts, language } = draft;
  draft.ask(null, 'anything');
  const sources = [{ type: 'business_hours', id: facts.number.id } as const];
  const said = answerHours(plain, facts.number, facts.now, language).map(({ key, values }) =>
    draft.say(key, values, { sources }),
  );
  if (!said.some(Boolean)) return sayNoMore(draft);
  markAnswered(draft);
}

export function answerAddress(draft: TurnDraft, asked: string): void {
  const { address } = draft.facts.company;
  draft.ask(null, 'anything');
  if (address === null) return sayUnknown(draft, asked);
  if (!draft.say('address', { address }, { sources: [{ type: 'company', id: null }] })) return sayNoMore(draft);
  markAnswered(draft);
}

export function answerCompany(draft: TurnDraft): void {
  draft.ask(null, 'anything');
  draft.say('company', { company: draft.facts.company.name }, { sources: [{ type: 'company', id: null }] });
  markAnswered(draft);
}

function markAnswered(draft: TurnDraft): void {
  draft.change({ done: { ...draft.state.done, answered: true, isOpen: false } });
}

function sayNoMore(draft: TurnDraft): void {
  draft.say('already_said');
  if (!draft.state.unconfirmed) offer(draft, offersOf(draft));
}

/** Nothing fits: said so, with what is offered instead. The question is kept for the company. */
export function sayUnknown(draft: TurnDraft, asked: string): void {
  draft.understood = false;
  draft.unanswered = asked;
  draft.change({ done: { ...draft.state.done, isOpen: true } });
  draft.say('unknown_answer');
  offer(draft, offersOf(draft));
}

/** Between two that fit equally: which one. One that fits hardly: whether it is meant. */
export function askWhichAnswer(draft: TurnDraft, choices: readonly Choice[], asked: string): void {
  const [a = '', b] = choices.map((choice) => topicOf(draft, choice));
  if (b === undefined) draft.say('do_you_mean', { topic: a });
  else draft.say('do_you_mean_or', { a, b });
  draft.ask({ kind: 'choice', choices, purpose: 'answer', asked }, b === undefined ? 'yes_no' : 'choice');
}

function topicOf(draft: TurnDraft, choice: Choice): string {
  if (choice.kind === 'topic') return sentencesOf(draft.language).parts.topics[choice.topic];
  return choice.kind === 'entry' ? (draft.entry(choice.id)?.title ?? '') : (draft.target(choice.id)?.name ?? '');
}
