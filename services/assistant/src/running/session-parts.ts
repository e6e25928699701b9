import type { Assistant } from '../assistants/assistant.ts';
import type { Answer, EngineInUse } from '../engine/answer.ts';
import type { EmbeddedEngine, KnowledgeEntryFacts } from '../engine/engine.ts';
import type { PhraseAudio } from './phrase-audio.ts';
import type { TurnTaking } from './running-session.ts';
import type { NumberedItem } from '../sessions/item-store.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionContent } from '../sessions/session-content.ts';

/** What sessions need of the rest of the service. */
export interface SessionParts {
  readonly assistantOf: (companyId: string, id: string) => Promise<Assistant | undefined>;
  /** All active entries of a company. */
  readonly entriesOf: (companyId: string) => Promise<readonly KnowledgeEntryFacts[]>;
  readonly noteUse: (companyId: string, entryIds: readonly string[]) => Promise<void>;
  readonly addUnanswered: (session: Session, text: string) => Promise<void>;
  readonly engineOf: (
    companyId: string,
    assistant: Assistant,
  ) => Promise<{ engine: EngineInUse; model: string | null }>;
  readonly engine: EmbeddedEngine<unknown>;
  /** `embed`: null where the meaning of words is not known. */
  readonly answerOf: (
    session: Pick<Session, 'companyId' | 'assistantId'> & Partial<Pick<Session, 'engine'>>,
    embed: (text: string) => Promise<Float32Array | null>,
  ) => Answer;
  readonly turnTakingOf: (assistant: Assistant) => TurnTaking;
  readonly phrases: PhraseAudio;
  readonly summarize: (session: Session, content: SessionContent, items: readonly NumberedItem[]) => string;
}
