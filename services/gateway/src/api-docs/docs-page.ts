import { createHash } from 'node:crypto';
import { type Markup, markup } from '@parley/http';
import { FONT, TOKENS } from '../../dashboard/src/tokens.ts';
import { brand } from '../pages/scene.ts';

export interface DocsPage {
  readonly title: string;
  /** The way from this page to the base address. */
  readonly root: string;
  /** Before the contents, which are at the side where there is room. */
  readonly introduction: Markup;
  readonly contents: readonly { readonly id: string; readonly text: string }[];
  readonly sections: readonly Markup[];
}

const STYLE = `${TOKENS}
@font-face{font-family:"Inter Variable";src:url("${FONT}") format("woff2");font-weight:100 900;font-display:swap}
*,*::before,*::after{box-sizing:border-box}
html{scroll-padding-top:16px}
body{margin:0;background:var(--surface);color:var(--ink);font:var(--t-14);overflow-wrap:anywhere;-webkit-font-smoothing:antialiased}
header{display:flex;flex-wrap:wrap;align-items:center;gap:8px 24px;padding:16px 32px;border-bottom:1px solid var(--line)}
header nav{display:flex;flex-wrap:wrap;gap:4px 16px}
.brand{display:flex;align-items:center;gap:8px;font:600 15px/22px var(--font)}
.brand svg{width:20px;height:22px;fill:var(--accent-ink)}
main{display:grid;grid-template-columns:260px minmax(0,820px);column-gap:48px;padding:24px 32px 64px}
main>*{grid-column:2}
.contents{grid-column:1;grid-row:1/span 99;position:sticky;top:0;align-self:start;max-height:100vh;overflow:auto;padding:4px 0;font:var(--t-13)}
.contents ul{list-style:none;margin:0}.contents a{display:block;padding:3px 0;color:var(--ink-2)}
h1{font:600 24px/32px var(--font);letter-spacing:-.016em;margin:0 0 20px}
h2{font:600 16px/24px var(--font);margin:40px 0 8px}
h2 a,h2 code{color:var(--ink);font-weight:600}
p,ul,ol{margin:0 0 12px;color:var(--ink-2)}ul,ol{padding-left:20px}li{margin:0 0 4px}
.contents ul{padding:0}.contents li{margin:0}
a{color:var(--accent-ink);text-decoration:none;font-weight:500}a:hover{text-decoration:underline}
a:focus-visible,summary:focus-visible,pre:focus-visible,.contents:focus-visible{outline:none;box-shadow:var(--ring);border-radius:var(--r)}
code{font-family:var(--mono);font-size:.93em}
details{margin:0 0 8px;border:1px solid var(--line);border-radius:var(--r-m);background:var(--subtle)}
summary{padding:8px 12px;font:500 13px/20px var(--font);cursor:pointer}
details[open]>summary{border-bottom:1px solid var(--line)}
figure{margin:0 0 16px;border:1px solid var(--line);border-radius:var(--r-m);background:var(--subtle)}
figcaption{padding:6px 12px;border-bottom:1px solid var(--line);font:500 12px/16px var(--font);color:var(--ink-3)}
figure pre{max-height:none}
pre{margin:0;padding:12px;overflow:auto;max-height:480px;font:var(--t-12)}pre code{font-size:12px;line-height:18px;overflow-wrap:normal}
table{width:100%;border-collapse:collapse;font:var(--t-13);table-layout:fixed}
th,td{padding:6px 12px;text-align:left;vertical-align:top;border-bottom:1px solid var(--line);font-weight:400}
tbody tr:last-child>*{border-bottom:0}thead th{font:500 12px/16px var(--font);color:var(--ink-3)}thead th:first-child{width:36%}thead th:nth-child(2){width:24%}
td{color:var(--ink-2)}
@media(max-width:1023px){main{display:block;padding:24px 20px 48px}header{padding:16px 20px}.contents{position:static;max-height:none;padding:24px 0 0;columns:2 220px}.contents a{padding:6px 0}summary{padding-block:12px}}
@media(max-width:639px){thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}tr{display:block;padding:8px 12px;border-bottom:1px solid var(--line)}tr:last-child{border-bottom:0}th,td{display:block;padding:0;border:0}td:empty{display:none}}
`;

const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/** Pages of documentation run nothing and load only the typeface. */
export const DOCS_PAGE_POLICY = [
  "default-src 'none'",
  `style-src ${STYLE_SOURCE}`,
  "font-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A page of the documentation for developers, in the style of the other pages. */
export function docsPage({ title, root, introduction, contents, sections }: DocsPage): string {
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
<title>${title} – Parley</title><style>${{ html: STYLE }}</style></head>
<body><header>${brand}<nav aria-label="Documentation"><a href="${root}/docs">API reference</a><a href="${root}/docs/guides">Guides</a><a href="${root}/docs/events">Events</a><a href="${root}/openapi.json">openapi.json</a><a href="${root}/asyncapi.json">asyncapi.json</a></nav></header>
<main><h1>${title}</h1>
${introduction}
<nav class="contents" aria-label="On this page"><ul>${contents.map(
    ({ id, text }) => markup`<li><a href="#${id}">${text}</a></li>`,
  )}</ul></nav>
${sections}</main></body></html>
`.html;
}
