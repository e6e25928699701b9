import { createHash } from 'node:crypto';
import { FONT, TOKENS } from '../../dashboard/src/tokens.ts';

/** The style sheet of every page, inlined. Its colours and sizes are those of the dashboard. */
export const STYLE = `${TOKENS}
@font-face{font-family:"Inter Variable";src:url("${FONT}") format("woff2");font-weight:100 900;font-display:swap}
*,*::before,*::after{box-sizing:border-box}
body{margin:0;background:var(--surface);color:var(--ink);font:var(--t-14);overflow-wrap:anywhere;-webkit-font-smoothing:antialiased}
.split{display:grid;grid-template-columns:minmax(0,520px) minmax(0,1fr);min-height:100vh}
.left{display:flex;flex-direction:column;padding:32px 40px;border-right:1px solid var(--line)}
.brand{display:flex;align-items:center;gap:8px;font:600 15px/22px var(--font)}
.brand svg{width:20px;height:22px;fill:var(--accent-ink)}
main.single{width:100%;max-width:344px;margin:auto;padding:32px 0}
h1{font:600 24px/32px var(--font);letter-spacing:-.016em;margin:0 0 20px}
h2{font:600 14px/20px var(--font);margin:24px 0 8px}
p{margin:0 0 12px;color:var(--ink-2)}
a{color:var(--accent-ink);text-decoration:none;font-weight:500}a:hover{text-decoration:underline}
form{margin:0}
.field{margin:0 0 16px}.field label{display:block;font:500 13px/20px var(--font);color:var(--ink);margin-bottom:6px}
input:not([type=hidden]){width:100%;height:40px;font:var(--t-14);color:var(--ink);background:var(--raised);border:1px solid var(--edge);border-radius:var(--r);padding:0 10px}
input:hover{border-color:var(--edge-strong)}
input:focus-visible{outline:none;border-color:var(--accent-ink);box-shadow:0 0 0 3px var(--accent-soft)}
button{display:inline-flex;align-items:center;justify-content:center;height:40px;padding:0 16px;font:500 14px/20px var(--font);border:1px solid transparent;border-radius:var(--r);background:var(--accent);color:var(--on-solid);cursor:pointer}
button:hover{background:var(--accent-hover)}
main.single>form>p>button:only-child{width:100%}
button.quiet{background:var(--raised);border-color:var(--edge);color:var(--ink)}button.quiet:hover{background:var(--hover)}
button:focus-visible,a:focus-visible{outline:none;box-shadow:var(--ring);border-radius:var(--r)}
.foot{margin-top:24px;padding-top:16px;border-top:1px solid var(--line);font:var(--t-13)}
.hint,.soft{font:var(--t-12);color:var(--ink-3)}.hint{display:block;margin-top:4px}
.alert{display:block;margin:0 0 16px;padding:8px 12px;border-radius:var(--r-m);background:var(--bad-soft);color:var(--bad-ink)}
.actions{display:flex;flex-wrap:wrap;gap:8px}
.qr svg{width:12rem;height:12rem;background:var(--on-solid);padding:.5rem;border-radius:var(--r-m)}
code{font-family:var(--mono)}
dt{font:500 12px/16px var(--font);color:var(--ink-3)}dd{margin:0 0 12px;color:var(--ink)}
.scene{display:grid;align-content:center;justify-items:center;gap:14px;padding:40px;background:var(--canvas)}
.scene>*{width:100%;max-width:440px}
.scene .box{display:flex;align-items:center;gap:12px;padding:16px;border:1px solid var(--line);border-radius:16px;background:var(--raised);box-shadow:var(--sh2)}
.scene .face{display:grid;place-items:center;width:48px;height:48px;border-radius:50%;background:var(--av3);color:var(--av3i);font:600 16px/1 var(--font);flex:none}
.scene b{display:block;font:var(--t-16)}.scene small{font:var(--t-13);color:var(--ink-2)}
.scene .round{display:grid;place-items:center;width:40px;height:40px;border-radius:50%;flex:none}
.scene .round svg{width:20px;height:20px;fill:none;stroke:var(--on-solid);stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
.scene .no{margin-left:auto;background:var(--bad)}.scene .no svg{rotate:135deg}.scene .yes{background:var(--good)}
.scene .call{flex-wrap:wrap}.scene .line{display:flex;align-items:center;gap:6px;flex-basis:100%;margin-bottom:-4px;font:var(--t-12)}
.scene .line svg{width:14px;height:14px;fill:none;stroke:currentColor;stroke-width:1.75}
.scene .said{max-width:380px;justify-self:start;margin-left:max(0px,(100% - 440px)/2);flex-wrap:wrap}
.scene .play{display:grid;place-items:center;width:32px;height:32px;border-radius:50%;background:var(--ink);flex:none}
.scene .play svg{width:14px;height:14px;fill:var(--surface)}
.scene .wave{flex:1;height:28px}.scene .wave rect{fill:var(--c1)}.scene .said p{flex-basis:100%;margin:0;color:var(--ink)}
.scene .sent{display:grid;justify-items:end;gap:4px;font:var(--t-12);color:var(--ink-3)}
.scene .sent span{padding:8px 12px;border-radius:14px 14px 4px;background:var(--accent);color:var(--on-solid);font:var(--t-14)}
.scene .claim{margin-top:32px;font:600 22px/30px var(--font);letter-spacing:-.014em;color:var(--ink)}
@media(max-width:1023px){.split{grid-template-columns:minmax(0,1fr)}.left{border:0;padding:24px 20px}.scene{display:none}input:not([type=hidden]),button{height:44px;font-size:16px}}
`;

/** Allows this style sheet, and no other, in the page's security policy. */
export const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;
