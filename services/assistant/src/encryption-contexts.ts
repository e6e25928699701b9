import type { Document } from 'mongodb';
import { keyContext } from './endpoint/endpoint.ts';
import { contentContext, itemContext } from './sessions/session-content.ts';
import { stateContext } from './test-sessions/test-session-store.ts';
import { questionContext } from './unanswered-questions/unanswered-question-store.ts';

/** What the texts of a document, or of an object within it, may be encrypted for. */
export function encryptionContexts({ _id: id, sessionId, sequence }: Document): string[] {
  const contexts = [contentContext, questionContext, stateContext, keyContext].map((contextOf) =>
    contextOf(String(id)),
  );
  return [...contexts, itemContext(String(sessionId), Number(sequence))];
}
