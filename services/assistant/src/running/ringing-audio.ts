import type { Action, ActionResult, EmbeddedEngine, Sentence, SessionFacts } from '../engine/engine.ts';
import type { SentenceAudio } from './turn-playback.ts';

/** Who answers does not wait longer for the first word. */
const WHISPER_MS_MAX = 10_000;

/** What usually becomes of a transfer that does not connect anybody. */
const RESULTS: readonly ActionResult[] = ['declined', 'no_answer'];

/** What would be said if nobody takes the call: made while phones ring. */
export function sentencesOfResults(
  engine: EmbeddedEngine<unknown>,
  state: unknown,
  facts: SessionFacts,
  { id: actionId }: Action,
): string[] {
  return RESULTS.flatMap((result) => {
    const { say } = engine.decideTurn(state, facts, { kind: 'action_result', actionId, result }, { vector: null });
    return say.map(({ text }) => text);
  });
}

/** The audio of a sentence, made at once; it is kept by nobody else. */
export function madeAhead(audio: SentenceAudio, sentence: Sentence, signal: AbortSignal): SentenceAudio {
  const made = Array.fromAsync(audio(sentence, signal, WHISPER_MS_MAX));
  made.catch(() => undefined);
  return async function* () {
    yield* await made;
  };
}
