import { type ResponseHeaders, type ContentResponse, html, type Markup, markup } from '@parley/http';
import { cookie } from './cookies.ts';
import { tokenField } from './forms.ts';
import { STYLE, STYLE_SOURCE } from './page-style.ts';
import type { Visitor } from './visitor.ts';

export interface Page {
  readonly title: string;
  readonly body: Markup;
  /** The problem with the form, shown first. */
  readonly alert?: string | undefined;
  /** Where a form of this page may lead besides ourselves: browsers hold the redirect after it to this as well. */
  readonly formTargets?: readonly string[];
  readonly headers?: ResponseHeaders;
  readonly cookies?: readonly string[];
}

const MENU = [
  ['/dashboard/api-keys', 'API keys'],
  ['/dashboard/connected-apps', 'Connected apps'],
  ['/dashboard/sessions', 'Sessions'],
  ['/dashboard/security', 'Security'],
  ['/dashboard/password', 'Password'],
] as const;

/** A page as HTML. It loads and runs nothing, cannot be framed and is not cached. */
export function page<const Status extends number>(
  status: Status,
  visitor: Visitor,
  { title, body, alert, formTargets = [], headers, cookies = [] }: Page,
): ContentResponse<Status> {
  const newCookies = visitor.form.isNew ? [cookie('form', visitor.form.secret, visitor.secure)] : [];
  const text = markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Parley</title><style>${{ html: STYLE }}</style></head>
<body><a class="skip" href="#main">Skip to content</a>${visitor.employee && menu(visitor)}
<main id="main" ${!visitor.employee && markup`class="single"`}><h1>${title}</h1>
${alert !== undefined && markup`<p class="alert" role="alert">${alert}</p>`}${body}</main></body></html>`;
  return html(status, text.html, {
    ...securityHeaders(visitor, formTargets),
    ...headers,
    'Set-Cookie': [...newCookies, ...cookies],
  });
}

function menu(visitor: Visitor): Markup {
  return markup`<header><nav aria-label="Dashboard"><ul>
${MENU.map(([path, name]) => markup`<li><a href="${path}">${name}</a></li>`)}
<li class="soft">${visitor.email}</li>
<li><form method="post" action="/signout">${tokenField(visitor, 'sign out')}<button class="quiet">Sign out</button></form></li>
</ul></nav></header>`;
}

/** What every page carries, redirects included. */
export function securityHeaders(
  { secure }: Pick<Visitor, 'secure'>,
  formTargets: readonly string[] = [],
): ResponseHeaders {
  const policy = [
    "default-src 'none'",
    `style-src ${STYLE_SOURCE}`,
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
export function instant(at: Date | undefined, otherwise: string): Markup {
  if (!at) return markup`${otherwise}`;
  const iso = at.toISOString();
  return markup`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`;
}
