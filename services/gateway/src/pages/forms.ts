import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type ContentResponse, type Markup, markup } from '@parley/http';
import { page } from './page.ts';
import type { Visitor } from './visitor.ts';
import { t } from './words.ts';

/** The hidden field that proves a form was made by us, for this browser, this session and this purpose. */
const TOKEN_FIELD = 'form_token';

/** `purpose` keeps the token of one form from being used for another. */
export function formToken({ form, session }: Pick<Visitor, 'form' | 'session'>, purpose: string): string {
  return createHmac('sha256', form.secret)
    .update(JSON.stringify([session, purpose]))
    .digest('base64url');
}

export function tokenField(visitor: Visitor, purpose: string): Markup {
  return markup`<input type="hidden" name="${TOKEN_FIELD}" value="${formToken(visitor, purpose)}">`;
}

/**
 * Accepts forms of our own pages. The browser's origin headers are checked as well: a page cannot forge them, they can only be
 * absent in an old browser.
 */
export function isOwnForm(
  request: IncomingMessage,
  visitor: Visitor,
  fields: URLSearchParams | undefined,
  purpose: string,
): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin !== undefined && origin !== new URL(visitor.baseUrl).origin) return false;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const given = fields?.getAll(TOKEN_FIELD) ?? [];
  const expected = Buffer.from(formToken(visitor, purpose));
  const sent = Buffer.from(given[0] ?? '');
  return given.length === 1 && sent.length === expected.length && timingSafeEqual(sent, expected);
}

/** A form of another site, or one that was open for too long. Nothing was changed. */
export function staleForm(visitor: Visitor, back: string): ContentResponse<403> {
  const link = markup`<a href="${back}">${t(visitor, 'Load the page again')}</a>`;
  const body = markup`<p>${t(visitor, 'Nothing was changed. {link} and try once more.', { link })}</p>`;
  return page(403, visitor, { title: t(visitor, 'This form has expired'), body });
}

/** A path of our own to go to afterwards; anything else is the dashboard. Never another site. */
export function ownPath(path: string | null | undefined): string {
  const isOwn = path && /^\/(?:dashboard|device|oauth\/authorize)(?:[/?][\x21-\x5b\x5d-\x7e]*)?$/.test(path);
  return isOwn ? path : HOME;
}

export const HOME = '/dashboard/inbox';

/** A labelled text field. */
export function field(options: {
  label: Markup;
  name: string;
  type?: 'text' | 'email' | 'password';
  autocomplete?: string;
  value?: string;
  hint?: Markup;
  autofocus?: boolean;
}): Markup {
  const { label, name, type = 'text', autocomplete = 'off', value, hint, autofocus } = options;
  const hintId = `${name}-hint`;
  return markup`<p class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required
${value !== undefined && markup`value="${value}"`} ${hint && markup`aria-describedby="${hintId}"`}
${autofocus && markup`autofocus`}>
${hint && markup`<span class="hint" id="${hintId}">${hint}</span>`}</p>`;
}
