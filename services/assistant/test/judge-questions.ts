import { embeddedEngine } from '../src/engine/embedded-engine.ts';
import type { SessionFacts, Turn } from '../src/engine/engine.ts';
import type { EngineState } from '../src/engine/state.ts';

/** Something that a caller says, and what is right. */
export interface TestQuestion {
  readonly say: string;
  /** How it is said when it was not understood. */
  readonly again?: string;
  readonly expect: {
    readonly kind: string;
    /** Entries or targets, of which one is right. */
    readonly ids?: readonly string[];
    /** Part of the right answer. */
    readonly says?: string;
  };
}

export interface Shares {
  readonly count: number;
  /** Right at the first try; at the first or second; wrong; asked back or not known. */
  readonly first: number;
  readonly right: number;
  readonly wrong: number;
  readonly back: number;
  /** For each that was not right: what was said, and answered. */
  readonly notRight: readonly string[];
}

type Verdict = 'right' | 'wrong' | 'back';
type Embed = (text: string) => Promise<Float32Array>;

/** Asks each question in a session of its own; a question back is answered as a caller would, and what was not understood is said again. */
export async function judgeQuestions(
  questions: readonly TestQuestion[],
  facts: SessionFacts,
  embed: Embed,
): Promise<Shares> {
  const verdicts: { first: Verdict; last: Verdict; told: string }[] = [];
  for (const question of questions) {
    const greeted = embeddedEngine.decideTurn(
      embeddedEngine.createState('ses_1') as EngineState,
      facts,
      { kind: 'begin' },
      { vector: null },
    );
    const hear = async (state: EngineState, text: string) =>
      embeddedEngine.decideTurn(
        state,
        facts,
        { kind: 'words', text },
        { vector: await embed(text) },
      ) as Turn<EngineState>;
    const greeting = textOf(greeted as Turn<EngineState>);
    const turn = await hear(greeted.state as EngineState, question.say);
    const first = verdictOf(turn, question, facts, greeting);
    const answer = first === 'back' ? answerTo(turn, question, facts) : undefined;
    const second = answer === undefined ? turn : await hear(turn.state, answer);
    const last = answer === undefined ? first : verdictOf(second, question, facts, greeting);
    verdicts.push({ first, last, told: `${question.say} -> ${textOf(turn)} -> ${answer ?? ''} -> ${textOf(second)}` });
  }
  const share = (isCounted: (verdict: (typeof verdicts)[number]) => boolean) =>
    verdicts.filter(isCounted).length / verdicts.length;
  return {
    count: verdicts.length,
    first: share(({ first }) => first === 'right'),
    right: share(({ last }) => last === 'right'),
    wrong: share(({ last }) => last === 'wrong'),
    back: share(({ last }) => last === 'back'),
    notRight: verdicts.filter(({ last }) => last !== 'right').map(({ told }) => told),
  };
}

function textOf({ say }: Turn<EngineState>): string {
  return say.map(({ text }) => text).join(' ');
}

/** What a turn did: its kind, and whom or what it was about. */
function deedOf(turn: Turn<EngineState>, facts: SessionFacts, greeting: string): { kind: string; id?: string } {
  const { action, say, state, understood } = turn;
  const text = textOf(turn);
  const source = say.flatMap(({ sources }) => sources)[0];
  if (action?.name === 'transfer_call') return { kind: 'transfer', id: action.arguments.target };
  if (action?.name === 'end_call') return { kind: 'goodbye' };
  if (action?.name === 'hand_over') return { kind: action.reason === 'requested' ? 'hand_over' : action.reason };
  if (source?.type === 'knowledge_entry') return { kind: 'entry', id: source.id ?? '' };
  if (source?.type === 'business_hours') return { kind: 'hours' };
  if (source?.type === 'company') return { kind: text.includes(facts.company.address ?? ' ') ? 'address' : 'company' };
  if (state.task?.kind === 'message') return { kind: 'message', id: state.task.target ?? '' };
  if (state.task?.kind === 'callback') return { kind: 'callback' };
  if (state.question?.kind === 'confirm_text') return { kind: 'text', id: state.question.entryId };
  if (text === greeting) return { kind: 'repeat' };
  if (understood && say.every(({ key }) => key?.includes('.wait.'))) return { kind: 'wait' };
  return { kind: understood ? 'asked' : 'unknown' };
}

function verdictOf(turn: Turn<EngineState>, { expect }: TestQuestion, facts: SessionFacts, greeting: string): Verdict {
  const deed = deedOf(turn, facts, greeting);
  const says = textOf(turn).toLowerCase();
  if (deed.kind === expect.kind) {
    const isRight =
      (!expect.ids || expect.ids.includes(deed.id ?? '')) && (!expect.says || says.includes(expect.says.toLowerCase()));
    return isRight ? 'right' : 'wrong';
  }
  if (deed.kind !== 'asked' && deed.kind !== 'unknown') return 'wrong';
  // Nothing is known about it: whoever asks back has said nothing wrong.
  return expect.kind === 'unknown' ? 'right' : 'back';
}

/** What a caller says next. */
function answerTo(
  { state }: Turn<EngineState>,
  { again, expect }: TestQuestion,
  facts: SessionFacts,
): string | undefined {
  const { question } = state;
  const targetName = facts.targets.find(({ id }) => expect.ids?.includes(id))?.name;
  if (question?.kind !== 'choice') return again ?? (expect.kind === 'transfer' ? targetName : undefined);
  const wanted = question.choices.find((choice) =>
    choice.kind === 'topic' ? choice.topic === expect.kind : expect.ids?.includes(choice.id),
  );
  if (!wanted) return again === undefined ? 'No.' : `No. ${again}`;
  if (question.choices.length === 1) return 'Yes.';
  if (wanted.kind === 'topic') return wanted.topic === 'hours' ? 'The opening hours.' : 'The address.';
  return wanted.kind === 'target' ? targetName : facts.knowledge.entries.find(({ id }) => id === wanted.id)?.title;
}
