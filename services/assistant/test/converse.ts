import { createEgress } from '@parley/egress';
import { answerByModel, type ModelOfCompany } from '../src/endpoint-engine/answer-by-model.ts';
import { modelClient } from '../src/endpoint-engine/model-client.ts';
import { type ModelPatience, PATIENCE } from '../src/endpoint-engine/model-turn.ts';
import { type SessionEngine, sessionEngine, type SessionState } from '../src/endpoint-engine/session-engine.ts';
import type { Answered, AnswerHooks } from '../src/engine/answer.ts';
import type { Heard, SessionFacts } from '../src/engine/engine.ts';
import type { ModelServer } from './model-server.ts';
import { type EngineLog, facts, scriptedEngine } from './scripted-engine.ts';

/** So that failures of slow models do not take long to test. */
export const patience: ModelPatience = { ...PATIENCE, firstTokenMs: 600, nextTokenMs: 400, firstSentenceMs: 1500 };

/** A session that a model of a test answers. */
export interface TestConversation {
  /** As it was stored last. */
  state: SessionState;
  /** What was said and noted, in order: `endpoint: …`, `embedded: …`, `[event detail]`. */
  readonly log: string[];
  /** What was noted about the model. */
  readonly noted: string[];
  readonly used: Parameters<AnswerHooks['used']>[0][];
  /** What the scripted engine was asked. */
  readonly embedded: () => EngineLog;
  hear(heard: Heard | string, given?: { facts?: SessionFacts; signal?: AbortSignal }): Promise<Answered<SessionState>>;
}

export interface ConverseOptions {
  readonly model?: Partial<ModelOfCompany>;
  readonly patience?: ModelPatience;
  readonly engine?: SessionEngine;
  readonly facts?: SessionFacts;
}

/** The way to models of tests, which are at an address of this machine. */
export function converseWith(server: () => ModelServer) {
  let egress: ReturnType<typeof createEgress> | undefined;
  return {
    close: async () => {
      await egress?.close();
      egress = undefined;
    },
    converse(options: ConverseOptions = {}): TestConversation {
      const { engine = sessionEngine(scriptedEngine()) } = options;
      const { url } = server();
      egress ??= createEgress({ allowedOrigins: [new URL(url).origin] });
      const noted: string[] = [];
      const answer = answerByModel({
        engine,
        client: modelClient({ company: egress, operator: egress }),
        model: {
          inUse: async () => ({ source: 'company', url, model: 'small', apiKey: 'sk-key' }),
          addSpend: async () => '0.01',
          answered: async () => void noted.push('answered'),
          failed: async (reason) => void noted.push(`failed ${reason}`),
          ...options.model,
        },
        embed: async () => null,
        engineAtStart: 'endpoint',
        onError: (error) => void noted.push(`error ${(error as Error).message}`),
        patience: options.patience ?? patience,
      });
      const conversation: TestConversation = {
        state: engine.createState('ses_1'),
        log: [],
        noted,
        used: [],
        embedded: () => conversation.state.embedded as EngineLog,
        async hear(heard, { facts: known = options.facts ?? facts, signal } = {}) {
          const given: Heard = typeof heard === 'string' ? { kind: 'words', text: heard } : heard;
          const turn = await answer(conversation.state, known, given, {
            heardAs: (text, masked) => void conversation.log.push(`caller: ${text}${masked ? ' [masked]' : ''}`),
            say: ({ text }, by) => void conversation.log.push(`${by}: ${text}`),
            note: (name, detail) => void conversation.log.push(`[${name}${detail === null ? '' : ` ${detail}`}]`),
            used: (tokens) => void conversation.used.push(tokens),
            ...(signal && { signal }),
          });
          // As it is stored and read again.
          conversation.state = JSON.parse(JSON.stringify(turn.state)) as SessionState;
          return turn;
        },
      };
      return conversation;
    },
  };
}
