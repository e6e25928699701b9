import type { Encryptor } from '@parley/secrets';
import type { Session } from './session.ts';
import type { Person } from './session-update.ts';

/** A message that an assistant took. */
export interface TakenMessage {
  readonly text: string;
  readonly callerName: string | null;
  /** E.164. */
  readonly callbackNumber: string | null;
  readonly for: Person | null;
  readonly callbackRequested: boolean;
  /** When the caller wants to be called back, in the caller's words. */
  readonly wanted: string | null;
  readonly takenAt: string;
}

/** What of a session is personal, encrypted in its document. */
export interface SessionContent {
  readonly callerName: string | null;
  readonly contactId: string | null;
  readonly message: TakenMessage | null;
  readonly summary: string | null;
  /** The state of the conversation, so that another process can continue it; null before it begins and once it is over. */
  readonly conversation: unknown;
}

export const emptyContent: SessionContent = {
  callerName: null,
  contactId: null,
  message: null,
  summary: null,
  conversation: null,
};

export const contentContext = (id: string) => `session/${id}/content`;
export const itemContext = (id: string, sequence: number) => `session/${id}/item/${sequence}`;

/** Encrypts and decrypts what was said, bound to its session. */
export type SessionSeals = ReturnType<typeof sessionSeals>;

export function sessionSeals({ encrypt, decrypt }: Pick<Encryptor, 'encrypt' | 'decrypt'>) {
  return {
    sealContent: (id: string, content: SessionContent) => encrypt(JSON.stringify(content), contentContext(id)),
    openContent: ({ id, sealed }: Pick<Session, 'id' | 'sealed'>) =>
      JSON.parse(decrypt(sealed, contentContext(id))) as SessionContent,
    sealItem: (id: string, sequence: number, json: string) => encrypt(json, itemContext(id, sequence)),
    openItem: (id: string, sequence: number, sealed: string) => decrypt(sealed, itemContext(id, sequence)),
  };
}
