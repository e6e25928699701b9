import type { EventHandlers } from '@parley/events';
import { newId } from '@parley/secrets';
import type { Directory } from '../directory/directory-client.ts';
import type { SpokenContent } from '../followers/spoken-content.ts';
import { ALL_NUMBERS } from '../projection/inbox-item.ts';
import type { InboxStore } from '../projection/inbox-store.ts';
import { isDone, threadId } from '../projection/thread.ts';
import { assignUnassigned } from '../threads/thread-handling.ts';
import type { ThreadHandlings } from '../threads/thread-handling-store.ts';
import { readMessage } from './read-message.ts';

/** A message for an employee assigns the thread of its caller, if it is open and nobody deals with it. */
export function assignMessages(deps: {
  readonly store: InboxStore;
  readonly handlings: ThreadHandlings;
  readonly spoken: Pick<SpokenContent, 'sessionsOf' | 'callOf'>;
  readonly directory: Directory;
}): EventHandlers {
  const { store, handlings, directory } = deps;
  return {
    'assistant.session.message_taken': async ({ session }, { companyId }) => {
      const taken = session && (await readMessage(deps, companyId, session.callId));
      if (!taken?.message?.for) return;
      const { phone } = taken;
      const { id } = taken.message.for;
      // It may also be for a team.
      const name = (await directory.activeNames(companyId, [id])).get(id);
      if (name === undefined) return;
      const thread = await store.threads.of(companyId).get(threadId(companyId, ALL_NUMBERS, phone));
      if (thread && isDone(thread)) return;
      const subject = { id: newId('thr'), companyId, phone };
      await handlings.changeByPhone(companyId, phone, (current) => assignUnassigned(current, subject, { id, name }));
    },
  };
}
