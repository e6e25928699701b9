import type { Assistants } from '../assistants/assistant-store.ts';
import type { EndpointSource, Endpoints } from '../endpoint/endpoint-store.ts';
import { answerByModel, type ModelOfCompany } from '../endpoint-engine/answer-by-model.ts';
import type { ModelClient } from '../endpoint-engine/model-client.ts';
import { sessionEngine } from '../endpoint-engine/session-engine.ts';
import { embeddedEngine } from '../engine/embedded-engine.ts';
import type { Answer } from '../engine/answer.ts';
import { summarize } from '../sessions/summarize.ts';
import type { Knowledge } from '../knowledge/knowledge-store.ts';
import { phraseAudio } from './phrase-audio.ts';
import type { ServiceContext } from '../service-context.ts';
import { initialTurnTaking, takeTurns } from '../turn-taking/take-turns.ts';
import { turnWords } from '../turn-taking/turn-words.ts';
import type { UnansweredQuestions } from '../unanswered-questions/unanswered-question-store.ts';
import type { SessionParts } from './session-parts.ts';

/** The nouns of this service as sessions use them. */
export function sessionParts(
  { peers, clock, telemetry }: Pick<ServiceContext, 'peers' | 'clock' | 'telemetry'>,
  nouns: {
    readonly assistants: Assistants;
    readonly knowledge: Knowledge;
    readonly questions: UnansweredQuestions;
    readonly endpoints: Endpoints;
    readonly models: ModelClient;
  },
): SessionParts {
  const { assistants, knowledge, questions, endpoints, models } = nouns;
  const engine = sessionEngine(embeddedEngine);

  /** A company's model, as far as the assistant may use it. */
  function modelOf(companyId: string, assistantId: string): ModelOfCompany {
    /** Whose the model of this turn is. */
    let source: EndpointSource = 'company';
    return {
      async inUse() {
        const assistant = await assistants.get(companyId, assistantId);
        const endpoint = assistant?.engine === 'auto' ? await endpoints.inUse(companyId) : undefined;
        source = endpoint?.source ?? source;
        return endpoint;
      },
      addSpend: (tokens) => endpoints.addSpend(companyId, source, tokens),
      answered: () => endpoints.answered(companyId, source),
      failed: (reason) => endpoints.failed(companyId, source, reason),
    };
  }

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
    engine,
    answerOf({ companyId, assistantId, engine: engineAtStart = 'embedded' }, embed) {
      const onError = (err: unknown) =>
        telemetry.log.warn({ err }, 'the language model of a session could not be used');
      const model = modelOf(companyId, assistantId);
      return answerByModel({ engine, client: models, model, embed, engineAtStart, onError }) as Answer;
    },
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
    phrases: phraseAudio(peers.numbersRouting),
    summarize,
  };
}
