import { answer, route, streamArray } from '@parley/http';
import type { ListContactsResponse } from '@parley/proto/directory/v1/contacts_pb';
import type { EmployeeCaller } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers.ts';
import { contactJson, contactSchema } from './contact-json.ts';

export const listContacts = ({ contacts }: Clients) =>
  route<EmployeeCaller>()({
    method: 'get',
    path: '/contacts',
    tag: 'Contacts',
    summary: 'List contacts',
    description: 'Newest first. With `phone`, the one contact with that number, in whatever format it is written.',
    query: z.object({ phone: z.string().optional() }),
    answers: { 200: z.array(contactSchema) },
    async handle({ query, context }) {
      if (query.phone !== undefined) {
        const { contact } = await contacts.findContactByPhone({ phone: query.phone }, { as: context });
        return answer(200, contact ? [contactJson(contact)] : []);
      }
      const chunks = contacts.listContacts({}, { as: context, timeoutMs: 60_000 });
      return streamArray(await begun(chunks), contactJson);
    },
  });

/** Waits for the first chunk, so that a failure is still an answer of its own and not a broken list. */
async function begun(chunks: AsyncIterable<ListContactsResponse>) {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* () {
    try {
      for (let next = first; !next.done; next = await iterator.next()) yield* next.value.contacts;
    } finally {
      await iterator.return?.();
    }
  })();
}
