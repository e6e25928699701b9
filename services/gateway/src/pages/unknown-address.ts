import type { IncomingMessage } from 'node:http';
import { type ContentResponse, markup } from '@parley/http';
import { page } from './page.ts';
import { preferredLanguage, t } from './words.ts';

/** Programs ask for these, whatever they say that they accept. */
const PROGRAMS = /^\/(api|assets|media|mcp|webhooks)(\/|$)/;

/** An address that does not exist, asked for by a person with a browser: a page that leads on. Everybody else gets the error as JSON. */
export const unknownAddressPage =
  ({ secure }: { secure: boolean }) =>
  (request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): ContentResponse | undefined => {
    const { method, url = '', headers } = request;
    const isRead = method === 'GET' || method === 'HEAD';
    if (!isRead || PROGRAMS.test(url) || !headers.accept?.includes('text/html')) return undefined;
    const visitor = {
      language: preferredLanguage(headers['accept-language']),
      secure,
      form: { secret: '', isNew: false },
    };
    const title = t(visitor, 'Page not found');
    const body = markup`<p>${t(visitor, 'There is nothing at this address.')}</p>
<p><a href="/dashboard">${t(visitor, 'Go to the dashboard')}</a></p>`;
    return page(404, visitor, { title, body });
  };
