import type { ThreadHandling } from '@parley/proto/messaging_inbox/v1/thread_events_pb';
import { threadStateJson } from '@parley/public-json';
import { definePayload, type Payload } from './payload.ts';

export const threadPayloads: readonly Payload[] = [
  definePayload({
    fact: 'messaging-inbox.thread.assigned',
    event: 'thread.assigned',
    data: ({ thread }) => ({ thread: threadJson(thread) }),
  }),
  definePayload({
    fact: 'messaging-inbox.thread.state_changed',
    event: 'thread.state_changed',
    data: ({ thread }) => ({ thread: threadJson(thread) }),
  }),
];

function threadJson(thread: ThreadHandling | undefined): object {
  if (!thread) throw new Error('a thread event without its thread');
  const { phoneNumber, assignee, state } = thread;
  return {
    phone_number: phoneNumber,
    assignee: assignee ? { id: assignee.id, name: assignee.name } : null,
    state: threadStateJson(state),
  };
}
