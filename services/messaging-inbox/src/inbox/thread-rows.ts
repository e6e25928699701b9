import { create, toBinary } from '@bufbuild/protobuf';
import { InboxThreadSchema } from '@parley/proto/messaging_inbox/v1/inbox_pb';
import { type ThreadContext, threadToProto } from './inbox-proto.ts';
import type { ListedThread } from './list-threads-store.ts';

/** What a row shows besides its thread. */
type Shown = readonly unknown[];

/** Encodes threads of lists. A thread that shows the same as the last time is not encoded again. */
export function threadRows(): (listed: ListedThread, context: ThreadContext) => Uint8Array {
  /** Threads are the same objects while they have not changed; see `CachedFinder`. */
  const rows = new WeakMap<ListedThread['thread'], { readonly shown: Shown; readonly bytes: Uint8Array }>();
  return (listed, context) => {
    const { thread, summary } = listed;
    const { contact, message, withMessages, canSend, nameOf } = context;
    const assigneeId = thread.handling?.assigneeId ?? undefined;
    const shown = [
      withMessages,
      contact,
      message?.text,
      message?.status,
      canSend(summary.latestItem.businessNumberId),
      assigneeId && nameOf(assigneeId),
    ];
    const known = rows.get(thread);
    if (known && shown.every((part, index) => part === known.shown[index])) return known.bytes;
    const bytes = toBinary(InboxThreadSchema, create(InboxThreadSchema, threadToProto(listed, context)));
    rows.set(thread, { shown, bytes });
    return bytes;
  };
}
