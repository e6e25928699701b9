import type { KnowledgeEntryFacts, SessionFacts } from '../engine/engine.ts';
import { rankSubjects } from '../engine/knowledge/rank-subjects.ts';
import { usableEntries } from '../engine/knowledge/usable-entries.ts';

/** So many are sent to a model: with the rest of the prompt some thousand tokens. */
const ENTRIES_MAX = 12;
/** "And on Sundays?" goes on with what was said before. */
const TEXTS_MAX = 3;

/**
 * The entries for the called number that fit best to what the caller said last, and before; all of them where few are written down.
 * `vector`: of what the caller said last; null where its meaning is not known.
 */
export async function relevantEntries(
  facts: SessionFacts,
  callerWords: readonly string[],
  vector: Promise<Float32Array | null>,
): Promise<KnowledgeEntryFacts[]> {
  const { knowledge } = facts;
  const isUsable = usableEntries(facts);
  const usable = knowledge.entries.filter(isUsable);
  if (usable.length <= ENTRIES_MAX) return usable;
  const meaning = await vector;
  const scores = new Map<KnowledgeEntryFacts, number>();
  for (const [ago, text] of callerWords.slice(-TEXTS_MAX).toReversed().entries())
    for (const { subject, score } of rankSubjects(
      knowledge,
      text,
      ago === 0 ? meaning : null,
      (one) => one.kind === 'entry',
    ))
      if (subject.kind === 'entry') scores.set(subject.entry, (scores.get(subject.entry) ?? 0) + score / (ago + 1));
  const scoreOf = (entry: KnowledgeEntryFacts) => scores.get(entry) ?? 0;
  return usable.toSorted((one, other) => scoreOf(other) - scoreOf(one)).slice(0, ENTRIES_MAX);
}
