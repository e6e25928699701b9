/** The page's one style. Its hash stands in the page's security policy. */
export const apiPageStyle: string = `
:root{--ink:#1c2430;--soft:#5a6675;--paper:#fff;--panel:#f5f7fa;--line:#dde3ea;--link:#0b57c4;--good:#0a6b3d;--bad:#a8261c;
--get:#0b57c4;--post:#0a6b3d;--change:#8a5200;--delete:#a8261c;color-scheme:light dark}
@media (prefers-color-scheme:dark){:root{--ink:#e6eaf0;--soft:#a2adbb;--paper:#12161c;--panel:#1a2029;--line:#2d3643;
--link:#8ab8ff;--good:#6fd3a0;--bad:#ff9d94;--get:#8ab8ff;--post:#6fd3a0;--change:#f0bd6a;--delete:#ff9d94}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:1rem}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
header,nav,main{padding:1rem 1.25rem}
header{border-bottom:1px solid var(--line)}
header h1{margin:0;font-size:1.5rem}
header p{margin:.25rem 0 0;color:var(--soft)}
nav{border-bottom:1px solid var(--line);background:var(--panel)}
nav h2{font-size:.95rem;margin:1rem 0 .25rem}
nav ul{list-style:none;margin:0;padding:0}
nav li a{display:flex;padding:.3rem 0;color:var(--ink);text-decoration:none}
nav li a:hover{text-decoration:underline}
summary{cursor:pointer;padding:.3rem 0}
main{max-width:56rem}
h2{margin:2rem 0 .5rem}
h3{margin:0 0 .25rem;font-size:1.15rem}
h4{margin:1.25rem 0 .35rem;font-size:.95rem;color:var(--soft)}
a{color:var(--link)}
a:focus-visible,summary:focus-visible,pre:focus-visible{outline:3px solid var(--link);outline-offset:2px}
article{border:1px solid var(--line);border-radius:.6rem;padding:1.1rem 1.25rem;margin:1rem 0}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.9em;overflow-wrap:anywhere}
pre{background:var(--panel);border-radius:.4rem;padding:.8rem;overflow-x:auto;margin:0}
pre code{overflow-wrap:normal}
.lead{font-size:1.1rem}
.endpoint{margin:.25rem 0 .75rem}
.method{display:inline-block;flex:none;min-width:3.9rem;font:700 .75rem/1.6 ui-monospace,monospace;text-transform:uppercase;color:var(--soft)}
.get{color:var(--get)}.post{color:var(--post)}.put,.patch{color:var(--change)}.delete{color:var(--delete)}
.fields{margin:0;border-left:2px solid var(--line);padding-left:.9rem}
.fields>div{padding:.3rem 0}
.fields dd{margin:0}
.fields dd p,.type{margin:.1rem 0}
.type,.place,.limits,.optional{color:var(--soft);font-size:.9em}
.optional,.place{border:1px solid var(--line);border-radius:1rem;padding:0 .5rem;font-size:.75rem;font-weight:400}
.or{margin:.4rem 0;color:var(--soft);font-style:italic}
.answer{border-top:1px solid var(--line)}
.answer[open]{padding-bottom:.6rem}
.status{display:inline-block;min-width:2.6rem;font-weight:700;font-variant-numeric:tabular-nums}
.good{color:var(--good)}.bad{color:var(--bad)}.other{color:var(--soft)}
.skip{position:absolute;left:-999rem}
.skip:focus{left:1rem;top:1rem;background:var(--paper);padding:.5rem 1rem;z-index:1}
@media (min-width:60rem){
body{display:grid;grid-template-columns:19rem 1fr}
header{grid-column:1/-1}
nav{border:0;border-right:1px solid var(--line);position:sticky;top:0;height:100vh;overflow-y:auto}
main{padding:0 2.5rem 4rem}
}
@media (min-width:60rem){@supports selector(::details-content){.menu>summary{display:none}
.menu::details-content{content-visibility:visible;block-size:auto}}}
@media (max-width:59.99rem){article{padding:.9rem}nav .method{min-width:3.6rem}}
`;
