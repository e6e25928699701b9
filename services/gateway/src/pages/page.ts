import { type ResponseHeaders, type ContentResponse, html, type Markup, markup } from '@parley/http';
import { dashboardPage } from './dashboard-page.ts';
import { cookie } from './cookies.ts';
import { STYLE, STYLE_SOURCE } from './page-style.ts';
import { brand, scene } from './scene.ts';
import type { Visitor } from './visitor.ts';

export interface Page {
  readonly title: Markup;
  readonly body: Markup;
  /** The problem with the form, shown first. */
  readonly alert?: Markup | undefined;
  /** Further origins that a form of this page may lead to, because browsers apply the policy to the redirect after it as well. */
  readonly formTargets?: readonly string[];
  readonly headers?: ResponseHeaders;
  readonly cookies?: readonly string[];
}

/**
 * A page as HTML. It cannot be framed and is not cached. Before the sign-in it runs nothing and loads only the typeface; afterwards it is
 * part of the dashboard.
 */
export function page<const Status extends number>(
  status: Status,
  visitor: Visitor,
  { title, body, alert, formTargets = [], headers, cookies = [] }: Page,
): ContentResponse<Status> {
  const content = markup`<h1>${title}</h1>
${alert !== undefined && markup`<p class="alert" role="alert">${alert}</p>`}${body}`;
  if (visitor.employee) return dashboardPage(status, visitor, { title, main: content, headers, cookies });
  const newCookies = visitor.form.isNew ? [cookie('form', visitor.form.secret, visitor.secure)] : [];
  return strangersPage(status, visitor, {
    title,
    content,
    headers: {
      ...securityHeaders(visitor, formTargets),
      ...headers,
      'Set-Cookie': [...newCookies, ...cookies],
    },
  });
}

/** A page for somebody of whom nothing but the language is known. */
export function strangersPage<const Status extends number>(
  status: Status,
  visitor: Pick<Visitor, 'language' | 'secure'>,
  { title, content, headers }: { title: Markup; content: Markup; headers?: ResponseHeaders },
): ContentResponse<Status> {
  const text = markup`<!doctype html>
<html lang="${visitor.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
<title>${title} – Parley</title><style>${{ html: STYLE }}</style></head>
<body><div class="split"><div class="left">${brand}<main id="main" class="single">${content}</main></div>${scene(visitor)}</div></body></html>`;
  return html(status, text.html, headers ?? securityHeaders(visitor));
}

/** Headers of every page, including redirects. */
export function securityHeaders(
  { secure }: Pick<Visitor, 'secure'>,
  formTargets: readonly string[] = [],
): ResponseHeaders {
  const policy = [
    "default-src 'none'",
    `style-src ${STYLE_SOURCE}`,
    "font-src 'self'",
    'img-src data:',
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'same-origin',
    ...(secure && { 'Strict-Transport-Security': 'max-age=31536000' }),
  };
}

/** An instant as a person reads it, in UTC, to the minute. */
export function instant(at: Date | undefined, otherwise: Markup): Markup {
  if (!at) return otherwise;
  const iso = at.toISOString();
  return markup`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`;
}
