import { endpoint, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { commentJson, commentSchema } from '@parley/public-json';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { longText } from '../shared/bounded-text.ts';
import { adds } from '../shared/tool-annotations.ts';

export const commentEndpoints = (clients: Clients) => [createComment(clients)];

const createComment = ({ comments }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'POST /inbox/:phone_number/comments',
    summary: 'Comment on a thread',
    description:
      'For the team only: it is never sent to the customer, neither opens a thread that is done nor counts as unseen. `@` and the beginning of an employee’s name, in whole words (`@Anna`, `@Anna Berg`), mentions the employee, if only one is meant: `mentions` lists them. 404 for an unknown thread.',
    body: z.object({ text: longText(5000).describe('1 to 5,000 characters') }),
    responses: { 201: commentSchema },
    errors: [404, 422],
    tools: {
      comment_on_thread: {
        description:
          'Leaves a note for coworkers in a thread; the customer never sees it. `@Name` mentions a coworker.',
        annotations: adds,
        rename: { phone_number: 'phone' },
      },
    },
    async handle({ params, body, context }) {
      const { comment } = await comments.createComment(
        { phoneNumber: params.phone_number, text: body.text },
        { as: context },
      );
      return json(201, commentJson(comment!));
    },
  });
