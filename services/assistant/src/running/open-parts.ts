import type { Assistants } from '../assistants/assistant-store.ts';
import type { Endpoints } from '../endpoint/endpoint-store.ts';
import { embeddedEngine } from '../engine/embedded-engine.ts';

import { summarize } from '../sessions/summarize.ts';
import type { Knowledge } from '../knowledge/knowledge-store.ts';
import { embeddedAnswer } from './answer.ts';
import { phraseAudio } from './phrase-audio.ts';
import type { ServiceContext } from '../service-context.ts';
import { initialTurnTaking, takeTurns } from '../turn-taking/take-turns.ts';
import { turnWords } from '../turn-taking/turn-words.ts';
import type { UnansweredQuestions } from '../unanswered-questions/unanswered-question-store.ts';
import type { SessionParts } from './session-parts.ts';

/** The nouns of this service as sessions use them. */
export function sessionParts(
  { peers, clock }: Pick<ServiceContext, 'peers' | 'clock'>,
  nouns: {
    readonly assistants: Assistants;
    readonly knowledge: Knowledge;
    readonly questions: UnansweredQuestions;
    readonly endpoints: Endpoints;
  },
): SessionParts {
  const { assistants, knowledge, questions, endpoints } = nouns;
  return {
    assistantOf: (companyId, id) => assistants.get(companyId, id),
    entriesOf: (companyId) => knowledge.active(companyId),
    noteUse: (companyId, ids) => knowledge.noteUses(companyId, ids),
    addUnanswered: ({ companyId, callId, businessNumberId, from }, text) =>
      questions.add({ companyId, callId, businessNumberId, phone: from, text, askedAt: clock.now() }),
    async engineOf(companyId, { engine }) {
      const endpoint = engine === 'auto' ? await endpoints.inUse(companyId) : undefined;
      return endpoint ? { engine: 'endpoint', model: endpoint.model } : { engine: 'embedded', model: null };
    },
    engine: embeddedEngine,
    answerOf: (_session, embed) => embeddedAnswer(embeddedEngine, embed),
    turnTakingOf({ language, silenceSecs }) {
      const options = { words: turnWords(language), silenceMs: silenceSecs * 1000 };
      let state = initialTurnTaking;
      return {
        step(event) {
          const taken = takeTurns(options, state, event);
          state = taken.state;
          return taken.decisions;
        },
      };
    },
    knownAudio: phraseAudio(peers.numbersRouting),
    summarize,
  };
}
