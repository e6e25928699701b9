import { Refused } from '@parley/errors';
import { type ContentResponse, markup, type Endpoint } from '@parley/http';
import { page } from './page.ts';
import type { Visitor } from './visitor.ts';
import { t } from './words.ts';

/** Shows expected errors on a page instead of JSON; other errors are rethrown. */
export function withErrorPages(route: Endpoint<Visitor>): Endpoint<Visitor> {
  return {
    ...route,
    responses: { ...route.responses, 404: 'text/html', 503: 'text/html' },
    async handle(input) {
      try {
        return await route.handle(input);
      } catch (error) {
        const shown = errorPage(error, input.context);
        if (!shown) throw error;
        return shown;
      }
    },
  };
}

function errorPage(error: unknown, visitor: Visitor): ContentResponse | undefined {
  if (error instanceof Refused && error.refusal.code === 'not_found') {
    const link = markup`<a href="/dashboard">${t(visitor, 'Go to the dashboard')}</a>`;
    const body = markup`<p>${t(visitor, 'It may have been removed. {link}.', { link })}</p>`;
    return page(404, visitor, { title: t(visitor, 'Page not found'), body });
  }
  if (error instanceof Error && error.name === 'Unavailable') {
    const body = markup`<p>${t(visitor, 'Nothing was lost. Please try again in a moment.')}</p>`;
    const title = t(visitor, 'Temporarily unavailable');
    return page(503, visitor, { title, body, headers: { 'Retry-After': '1' } });
  }
  return undefined;
}
