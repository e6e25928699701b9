import { createHash } from 'node:crypto';

/** The style sheet of every page, inlined. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#16202c;--soft:#52606d;--paper:#fff;--ground:#f3f5f8;--line:#c9d1da;--accent:#0b5fb0;--bad:#a8201a}
@media(prefers-color-scheme:dark){:root{--ink:#edf1f5;--soft:#a9b4c0;--paper:#18212b;--ground:#0f161d;--line:#3a4653;--accent:#6db3f2;--bad:#ff8f87}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
header,main{max-width:44rem;margin:0 auto;padding:1rem}
header nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;list-style:none;margin:0;padding:0;align-items:center}
main>section,main>form,main.single{background:var(--paper);border:1px solid var(--line);border-radius:.5rem;padding:1.25rem;margin:0 0 1rem}
main.single{max-width:26rem;margin:2rem auto}
main.single form{background:none;border:0;padding:0;margin:0}
h1{font-size:1.5rem;line-height:1.25;margin:.25rem 0 1rem}
h2{font-size:1.15rem;margin:0 0 .5rem}
a{color:var(--accent)}
.field label{display:block;font-weight:600}
input:not([type=hidden]),textarea{width:100%;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--soft);border-radius:.25rem;padding:.5rem}
textarea{font-family:ui-monospace,monospace;resize:none;overflow-wrap:anywhere}
button{font:inherit;font-weight:600;padding:.5rem 1rem;border:1px solid var(--accent);border-radius:.25rem;background:var(--accent);color:var(--paper);cursor:pointer}
button.quiet{background:none;color:var(--accent)}
button.danger{background:none;border-color:var(--bad);color:var(--bad)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.hint,.soft{color:var(--soft)}
.alert{border-left:4px solid var(--bad);padding:.25rem .75rem}
.actions{display:flex;flex-wrap:wrap;gap:.5rem;align-items:end}
.list{list-style:none;margin:0;padding:0}
.list>li{border-top:1px solid var(--line);padding:.75rem 0}
.list form{display:inline-flex;gap:.5rem;align-items:end;flex-wrap:wrap}
.list input[type=number]{width:6rem}
.qr svg{width:12rem;height:12rem;background:#fff;padding:.5rem}
code{overflow-wrap:anywhere}
dt{font-weight:600}dd{margin:0 0 .5rem}
.skip{position:absolute;left:-999rem}.skip:focus{left:1rem}
`;

/** Allows this style sheet, and no other, in the page's security policy. */
export const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;
