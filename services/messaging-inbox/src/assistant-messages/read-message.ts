import type { SessionMessage } from '@parley/proto/assistant/v1/sessions_pb';
import type { SpokenContent } from '../followers/spoken-content.ts';

/** What an assistant left behind for the people of a thread. */
export interface LeftByAssistant {
  /** E.164. */
  readonly phone: string;
  readonly businessNumberId: string;
  /** Absent when the caller is to be called back, and has left no message. */
  readonly message?: SessionMessage | undefined;
}

/** Undefined for a caller without a number, who has no thread, and for a call that is not there any more. */
export async function readMessage(
  { spoken }: { readonly spoken: Pick<SpokenContent, 'sessionsOf' | 'callOf'> },
  companyId: string,
  callId: string,
): Promise<LeftByAssistant | undefined> {
  const [call, sessions] = await Promise.all([
    spoken.callOf(companyId, callId),
    spoken.sessionsOf(companyId, [callId]),
  ]);
  const session = sessions.get(callId);
  if (!call?.from.startsWith('+') || !session) return undefined;
  return { phone: call.from, businessNumberId: call.mainNumberId, message: session.message };
}
