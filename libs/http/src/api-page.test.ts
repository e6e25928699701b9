import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { json } from './response.ts';
import { createApi } from './api.ts';
import { apiPageSecurityPolicy, renderApiPage } from './api-page.ts';
import { openApiDocument } from './openapi.ts';
import { endpoint } from './endpoint.ts';

const contact = z
  .object({ id: z.string(), email: z.email().nullable().describe('Checked when `present`') })
  .meta({ id: 'Contact' });

const createContact = endpoint()({
  method: 'post',
  path: '/contacts/:id/copies',
  tag: 'Contacts & people',
  summary: 'Copy a contact',
  description: 'With <script>alert(1)</script> in it.',
  query: z.object({ phone: z.string() }),
  body: z.object({
    name: z.string().max(128),
    kind: z.enum(["it's", 'other']),
    options: z.array(z.object({ digit: z.string() })).optional(),
  }),
  responses: { 201: contact },
  handle: () => json(201, { id: 'a', email: null }),
});

const document = openApiDocument({
  title: 'Parley <API>',
  version: '1.0',
  description: 'Everything under `/api/v1`.',
  apis: [
    createApi<undefined>({
      prefix: '/api/v1',
      endpoints: [createContact],
      authenticate: () => undefined,
    }),
  ],
  securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'From the dashboard.' } },
});
const page = renderApiPage(document);

describe('the API page', () => {
  it('is one HTML page for people on any screen', () => {
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(page).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
    expect(page).toContain('prefers-color-scheme:dark');
    expect(page.match(/<h1>/g)).toHaveLength(1);
    expect(page).toContain('<main id="content">');
  });

  it('escapes whatever a description says', () => {
    expect(page).toContain('<title>Parley &lt;API&gt;</title>');
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).not.toContain('<script');
  });

  it('needs no more than its own style', () => {
    const style = /<style>([^]*?)<\/style>/.exec(page)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(apiPageSecurityPolicy).toContain(`style-src 'sha256-${hash}'`);
    expect(page).not.toMatch(/ (style|on\w+)="/);
    expect(page).not.toMatch(/(src|href)="(https?:)?\/\//);
  });

  it('leads by tag to each endpoint, and each link leads somewhere', () => {
    expect(page).toContain('<h2><a href="#tag-contacts-people">Contacts &amp; people</a></h2>');
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.length).toBeGreaterThan(4);
    expect(links.filter((link) => !ids.has(link))).toEqual([]);
    expect(ids.size).toBe([...page.matchAll(/ id="/g)].length);
  });

  it('shows parameters, body, answers and credentials', () => {
    for (const text of [
      '/api/v1/contacts/{id}/copies',
      'at most 128 characters',
      'digit',
      'From the dashboard.',
      '201',
      '422',
    ]) {
      expect(page).toContain(text);
    }
    expect(page).toContain('<p>Checked when <code>present</code></p>');
  });

  it('has a command to try', () => {
    const example = /<pre tabindex="0"><code>([^]*?)<\/code>/
      .exec(page)?.[1]
      ?.replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>');
    expect(example?.split(' \\\n  ')).toEqual([
      'curl -X POST "$BASE_URL/api/v1/contacts/{id}/copies?phone=text"',
      "-H 'X-Api-Key: <key>'",
      "-H 'Content-Type: application/json'",
      `-d '{"name":"text","kind":"it'\\''s"}'`,
    ]);
  });
});
