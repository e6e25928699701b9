import type { Document } from 'mongodb';
import { introductionContext } from './assisted-calls/introduction.ts';
import { notesContext } from './call-notes/stored-notes.ts';
import { a1Context } from './softphone-sessions/softphone-session-store.ts';
import { transcriptContext } from './transcripts/transcript-store.ts';
import { transcriptionContext } from './voicemails/voicemail-proto.ts';

/** What the texts of a document, or of an object within it, may be encrypted for. */
export const encryptionContexts = ({ _id: id }: Document): string[] =>
  [notesContext, introductionContext, transcriptContext, transcriptionContext, a1Context].map((contextOf) =>
    contextOf(String(id)),
  );
