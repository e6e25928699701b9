import { newId } from '@parley/secrets';
import { CommentService } from '@parley/proto/messaging_inbox/v1/comments_pb';
import { employees, type RpcServer } from '@parley/rpc';
import type { ServiceContext } from '../service-context.ts';
import type { InboxParts } from '../start-inbox.ts';
import { createComment } from './comment.ts';
import { commentToProto } from './comment-proto.ts';
import { hasMention, mentionsOf } from './mentions.ts';

/** Every RPC of the contract. */
export function addCommentService(
  server: RpcServer,
  { directory, tick }: ServiceContext,
  { comments, live }: InboxParts,
  /** The external number of a thread that is listed; throws `Refused` when there is none. */
  phoneOfThread: (companyId: string, written: string) => Promise<string>,
): void {
  server.add(CommentService, employees.withRole('member'), {
    async createComment({ phoneNumber, text }, { principal: { companyId, employeeId } }) {
      const [phone, names, team] = await Promise.all([
        phoneOfThread(companyId, phoneNumber),
        directory.employeeNames(companyId, [employeeId]),
        hasMention(text) ? directory.employees(companyId) : [],
      ]);
      const id = newId('cmt');
      const author = { id: employeeId, name: names.get(employeeId) ?? '' };
      const fields = { id, companyId, phone, author, mentions: mentionsOf(text, team), createdAt: tick() };
      const comment = await comments
        .of(companyId)
        .create(createComment(fields, text, (plain) => comments.encrypt(id, plain)));
      live.publish(companyId, { type: 'thread_update', phone_number: phone });
      return { comment: commentToProto(comment, text, new Map()) };
    },
  });
}
