import { randomBytes } from 'node:crypto';
import { type ContentResponse, html, markup, type ResponseHeaders } from '@parley/http';
import { FONT } from '../../dashboard/src/tokens.ts';
import { cookie } from './cookies.ts';
import { formToken, tokenField } from './forms.ts';
import type { Visitor } from './visitor.ts';
import { t } from './words.ts';
import { policyHeaders } from './page.ts';

/** The document of the browser application, whose `section` is shown first. */
export function dashboardPage(
  visitor: Visitor,
  section: string,
  /** What the section reads first: the browser begins with it before the first script is there. */
  reads: readonly string[] = [],
): ContentResponse<200> {
  const newCookies = visitor.form.isNew ? [cookie('form', visitor.form.secret, visitor.secure)] : [];
  // Allows the styles that React Aria adds to the document.
  const nonce = randomBytes(16).toString('base64');
  const scripts = visitor.dashboard.scriptsOf(section);
  const text = markup`<!doctype html>
<html lang="${visitor.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta property="csp-nonce" nonce="${nonce}">
<title>Parley</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml"><link rel="manifest" href="/assets/manifest.webmanifest">
<link rel="stylesheet" href="/assets/app.css">${reads.slice(0, 1).map(earlyRead)}${scripts.map(
    (name) => markup`<link rel="modulepreload" href="/assets/${name}">`,
  )}<link rel="preload" href="${FONT}" as="font" type="font/woff2" crossorigin>${reads.slice(1).map(earlyRead)}
<script type="module" src="/assets/app.js"></script></head>
<body data-session="${JSON.stringify(sessionOf(visitor))}"><div id="app"></div>
<noscript><p>${t(visitor, 'This page needs JavaScript.')}</p>
<form method="post" action="/signout">${tokenField(visitor, 'sign out')}<button>${t(visitor, 'Sign out')}</button></form></noscript>
</body></html>`;
  return html(200, text.html, { ...dashboardSecurityHeaders(visitor, nonce), 'Set-Cookie': newCookies });
}

/** A browser has six connections, in the order of the document: what one came for is read first, what stands beside it after the scripts. */
const earlyRead = (address: string) => markup`<link rel="preload" href="${address}" as="fetch" crossorigin>`;

/** The shape is `Session` in the dashboard. */
function sessionOf(visitor: Visitor) {
  return {
    employee_id: visitor.employee?.employeeId ?? '',
    name: visitor.name,
    email: visitor.email,
    role: visitor.employee?.role ?? 'member',
    sign_out_token: formToken(visitor, 'sign out'),
    base_url: visitor.baseUrl,
    sandbox_url: visitor.dashboard.sandboxUrl ?? null,
  };
}

function dashboardSecurityHeaders(visitor: Visitor, nonce: string): ResponseHeaders {
  const { secure, dashboard } = visitor;
  const { sandboxUrl, sipWebsocketUrl } = dashboard;
  const connectSources = ["'self'", sandboxUrl, sipWebsocketUrl && new URL(sipWebsocketUrl).origin];
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "img-src 'self' data:",
    "media-src 'self' blob:",
    `connect-src ${connectSources.filter(Boolean).join(' ')}`,
    "form-action 'self'",
  ];
  return { ...policyHeaders(secure, policy), 'Permissions-Policy': 'microphone=(self)' };
}
