import { type ResponseHeaders, type ContentResponse, html, type Markup, markup } from '@parley/http';
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

/** A page as HTML. It runs nothing, loads only the typeface, cannot be framed and is not cached. */
export function page<const Status extends number>(
  status: Status,
  visitor: Pick<Visitor, 'language' | 'secure' | 'form'>,
  { title, body, alert, formTargets = [], headers, cookies = [] }: Page,
): ContentResponse<Status> {
  const text = markup`<!doctype html>
<html lang="${visitor.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
<title>${title} – Parley</title><style>${{ html: STYLE }}</style></head>
<body><div class="split"><div class="left">${brand}<main id="main" class="single"><h1>${title}</h1>
${alert !== undefined && markup`<p class="alert" role="alert">${alert}</p>`}${body}</main></div>${scene(visitor)}</div></body></html>`;
  const newCookies = visitor.form.isNew ? [cookie('form', visitor.form.secret, visitor.secure)] : [];
  return html(status, text.html, {
    ...securityHeaders(visitor, formTargets),
    ...headers,
    'Set-Cookie': [...newCookies, ...cookies],
  });
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
  ];
  return policyHeaders(secure, policy);
}

export function policyHeaders(secure: boolean, policy: readonly string[]): ResponseHeaders {
  return {
    'Content-Security-Policy': [...policy, "frame-ancestors 'none'", "base-uri 'none'"].join('; '),
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'same-origin',
    ...(secure && { 'Strict-Transport-Security': 'max-age=31536000' }),
  };
}
