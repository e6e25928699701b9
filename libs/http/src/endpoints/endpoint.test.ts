import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { json, empty, html } from '../responses/response.ts';
import { endpoint } from './endpoint.ts';

const common = { role: 'none', tag: 'Contacts', summary: 'Change' } as const;
const contact = z.object({ id: z.string() });

/** The type checker is the test here: each line it would let pass wrongly is an unused `@ts-expect-error`. */
const declared = [
  endpoint<{ company: string }>()({
    ...common,
    route: 'PUT /contacts/:id/notes/:note_id',
    body: z.object({ name: z.string(), count: z.string().transform(Number) }),
    query: z.object({ limit: z.coerce.number() }),
    responses: { 200: contact, 204: null, 202: 'text/html' },
    handle: ({ params, body, query, context, form }) => {
      const texts: string[] = [params.id, params.note_id, body.name, context.company];
      const numbers: number[] = [body.count, query.limit];
      const fields: URLSearchParams | undefined = form;
      // @ts-expect-error a parameter the path does not have
      void params.other;
      // @ts-expect-error a field the body does not have
      void body.other;
      if (texts.length > 9) return empty(204);
      if (numbers.length > 9) return html(202, String(fields));
      return json(200, { id: params.id });
    },
  }),
  endpoint()({
    ...common,
    route: 'PUT /wrong-body',
    responses: { 200: contact },
    // @ts-expect-error an answer that is not as declared
    handle: () => json(200, { id: 7 }),
  }),
  endpoint()({
    ...common,
    route: 'PUT /wrong-status',
    responses: { 200: contact },
    // @ts-expect-error a status that is not declared
    handle: () => json(201, { id: 'a' }),
  }),
  endpoint()({
    ...common,
    route: 'PUT /bytes',
    body: 'bytes',
    responses: { 204: null },
    handle: ({ body, context, query }) => {
      const bytes: Buffer = body;
      const nothing: undefined = context ?? query;
      void [bytes, nothing];
      return empty(204);
    },
  }),
  endpoint('none')({
    route: 'GET /same-role',
    summary: 'Read',
    responses: { 204: null },
    handle: () => empty(204),
  }),
];

describe('a declaration', () => {
  it('a declaration has the method and the path of its route, and a role', () => {
    expect(declared.map(({ method, path, role }) => [method, path, role])).toEqual([
      ['put', '/contacts/:id/notes/:note_id', 'none'],
      ['put', '/wrong-body', 'none'],
      ['put', '/wrong-status', 'none'],
      ['put', '/bytes', 'none'],
      ['get', '/same-role', 'none'],
    ]);
  });
});
