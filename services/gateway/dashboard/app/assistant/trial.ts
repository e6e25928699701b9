import type { AssistantTestTurn } from '../api/schema.d.ts';

/** A conversation with an assistant that is tried, as it is shown. */
export interface Trial {
  /** Undefined until it has begun. */
  readonly sessionId: string | undefined;
  readonly entries: readonly TrialEntry[];
  /** The caller would have been connected, handed over, or hung up on. */
  readonly hasEnded: boolean;
}

export type TrialEntry =
  | { readonly speaker: 'caller'; readonly text: string }
  | ({ readonly speaker: 'assistant'; readonly text: string } & Partial<
      Pick<AssistantTestTurn, 'actions' | 'sources' | 'understood'>
    >);

export const NO_TRIAL: Trial = { sessionId: undefined, entries: [], hasEnded: false };

export function begun(session: { readonly id: string; readonly reply: string }): Trial {
  return { sessionId: session.id, entries: [{ speaker: 'assistant', text: session.reply }], hasEnded: false };
}

export function answered(trial: Trial, said: string, turn: AssistantTestTurn): Trial {
  const { reply, actions, sources, understood, ended } = turn;
  return {
    ...trial,
    hasEnded: ended,
    entries: [
      ...trial.entries,
      { speaker: 'caller', text: said },
      { speaker: 'assistant', text: reply, actions, sources: distinct(sources), understood },
    ],
  };
}

/** Each source once: several sentences may be from the same. */
function distinct(sources: AssistantTestTurn['sources']): AssistantTestTurn['sources'] {
  const byKey = new Map(sources.map((source) => [`${source.type} ${source.id ?? ''}`, source]));
  return [...byKey.values()];
}
