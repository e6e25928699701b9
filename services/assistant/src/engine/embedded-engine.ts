import { decideByProduct, decideTurn } from './decide-turn.ts';
import type { EmbeddedEngine, Outcome } from './engine.ts';
import { indexKnowledge, textsToEmbed } from './knowledge/knowledge-index.ts';
import { noteReply, requestAction } from './request-action.ts';
import { fixedSentences, likelySentences, whisper } from './spoken-beforehand.ts';
import { createState, type EngineState } from './state.ts';

export const embeddedEngine: EmbeddedEngine<EngineState> = {
  textsToEmbed,
  indexKnowledge,
  createState,
  decideTurn,
  decideByProduct,
  requestAction,
  noteReply,
  outcomeIfLeft,
  whisper,
  fixedSentences,
  likelySentences,
};

/** What became of the session if the caller left now. */
function outcomeIfLeft({ done }: EngineState): Outcome {
  if (done.callbackRequested) return 'callback_requested';
  if (done.messageTaken) return 'message_taken';
  return (done.answered || done.textSent) && !done.isOpen ? 'resolved' : 'abandoned';
}
