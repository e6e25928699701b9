import { Refused } from '@parley/errors';
import { type ContentResponse, markup, type Endpoint } from '@parley/http';
import { page } from './page.ts';
import type { Visitor } from './visitor.ts';

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
    const body = markup`<p>It may have been removed. <a href="/dashboard">Go to the dashboard</a>.</p>`;
    return page(404, visitor, { title: 'Page not found', body });
  }
  if (error instanceof Error && error.name === 'Unavailable') {
    const body = markup`<p>Nothing was lost. Please try again in a moment.</p>`;
    return page(503, visitor, { title: 'Temporarily unavailable', body, headers: { 'Retry-After': '1' } });
  }
  return undefined;
}
