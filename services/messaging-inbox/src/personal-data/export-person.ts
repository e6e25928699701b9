import { create } from '@bufbuild/protobuf';
import { type ExportedFile, type ExportPerson, jsonFile, type Person } from '@parley/personal-data';
import { MessageSchema } from '@parley/proto/messaging_inbox/v1/messages_pb';
import { messageJson } from '@parley/public-json';
import { NEWEST_COMMENT_FIRST } from '../comments/comment-store.ts';
import type { Texting } from '../start-texting.ts';
import { pairId } from '../opt-outs/opt-out.ts';
import { ALL_NUMBERS } from '../projection/inbox-item.ts';
import { threadId } from '../projection/thread.ts';
import type { InboxParts } from '../start-inbox.ts';

type ExportPersonDeps = Pick<InboxParts, 'comments' | 'store' | 'handlings'> &
  Pick<Texting, 'messages' | 'views' | 'optOuts'>;

/** Texts, what the team has written about the thread, and the thread. */
export function exportPerson(deps: ExportPersonDeps): ExportPerson {
  return async function* (person): AsyncGenerator<ExportedFile> {
    yield jsonFile('texts.json', textsOf(deps, person));
    yield jsonFile('comments.json', commentsOf(deps, person));
    yield jsonFile('thread.json', threadOf(deps, person));
  };
}

async function* textsOf({ messages, views }: ExportPersonDeps, { companyId, phoneNumber, before }: Person) {
  const filter = { externalNumber: phoneNumber, createdAtMicros: { $lte: before.getTime() * 1000 + 999 } };
  for await (const chunk of messages.of(companyId).findInChunks(filter, { createdAtMicros: 1 }))
    for (const view of await views.show(companyId, chunk, false)) yield messageJson(create(MessageSchema, view));
}

async function* commentsOf({ comments }: ExportPersonDeps, { companyId, phoneNumber: phone }: Person) {
  for await (const chunk of comments.of(companyId).findInChunks({ phone }, NEWEST_COMMENT_FIRST))
    for (const comment of chunk) {
      const { id, author, mentions, createdAt } = comment;
      const at = new Date(createdAt / 1000).toISOString();
      yield { id, author, mentions, text: comments.textOf(comment), created_at: at };
    }
}

async function* threadOf(deps: ExportPersonDeps, { companyId, phoneNumber: phone }: Person) {
  const thread = await deps.store.threads.of(companyId).get(threadId(companyId, ALL_NUMBERS, phone));
  const handling = await deps.handlings.byPhone(companyId, phone);
  if (!thread && !handling) return;
  const numberIds = thread?.businessNumberIds ?? [];
  const optOuts = await Promise.all(numberIds.map((id) => deps.optOuts.of(companyId).get(pairId(id, phone))));
  yield {
    phone_number: phone,
    assignee: handling?.assignee ?? null,
    state: handling?.state ?? 'open',
    business_number_ids: numberIds,
    opted_out_of: numberIds.filter((_, index) => optOuts[index] !== undefined),
  };
}
