import { newId } from '@parley/ids';
import { CommentService } from '@parley/proto/messaging_inbox/v1/comments_pb';
import { employees, type RpcServer } from '@parley/rpc';
import type { Directory } from '../directory/directory-client.ts';
import type { LiveUpdates } from '../live/live-updates.ts';
import { createComment } from './comment.ts';
import { commentToProto } from './comment-proto.ts';
import type { Comments } from './comment-store.ts';
import { hasMention, mentionsOf } from './mentions.ts';

export interface CommentDeps {
  readonly comments: Comments;
  readonly live: LiveUpdates;
  /** The external number of a thread that is listed; throws `Refused` when there is none. */
  readonly phoneOfThread: (companyId: string, written: string) => Promise<string>;
  readonly directory: Pick<Directory, 'employeeNames' | 'employees'>;
  /** Microseconds since 1970, always growing. */
  readonly tick: () => number;
}

/** Every RPC of the contract. */
export function addCommentService(server: RpcServer, deps: CommentDeps): void {
  const { comments, live, phoneOfThread, directory, tick } = deps;
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
