import { readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { guidePage, guidesPage } from './guide-pages.ts';
import { codeBlock, readGuide } from './markdown.ts';

const files = readdirSync(new URL('../../../../../docs/developers/', import.meta.url));
const names = files.map((file) => file.replace(/\.md$/, ''));
const BASE = 'https://phone.example:8443';
const linksOf = (page: string) => [...page.matchAll(/ href="([^"]+)"/g)].map(([, link]) => link!);

describe('the pages of guides', () => {
  it('the pages of guides are listed, each with what it is about', () => {
    const page = guidesPage();
    for (const name of names)
      expect(page).toMatch(new RegExp(`href="guides/${name}">[^<]+</a></h2>\n<p>[^<]{20,}</p>`));
    expect(names.length).toBe(9);
  });

  it.each(names)(
    'the pages of guides have the address of the reader, run nothing and lead to what is there: %s',
    (name) => {
      const page = guidePage(name, BASE)!;
      expect(page).not.toContain('127.0.0.1:8080');
      expect(page).not.toMatch(/<script|\son\w+=|\sstyle=|<img|<link rel="stylesheet"/);
      expect(page.match(/<h1>/g)).toHaveLength(1);
      for (const link of linksOf(page)) {
        if (link.startsWith('#')) expect(page).toContain(` id="${link.slice(1)}"`);
        else if (/^[a-z-]+$/.test(link)) expect(names).toContain(link);
        else
          expect(link).toMatch(
            /^https:\/\/|^data:|^\.\.\/\.\.\/(docs(\/guides|\/events)?|openapi\.json|asyncapi\.json)$/,
          );
      }
    },
  );

  it('the pages of guides have the base address in the code', () => {
    expect(guidePage('quickstart-curl', BASE)).toContain(`export PARLEY_BASE_URL=${BASE}\n`);
    expect(guidePage('quickstart-curl', 'https://x.example/"<b>')).toContain('https://x.example/&quot;&lt;b&gt;');
  });

  it('the pages of guides are only those that are listed', () => {
    for (const name of ['', 'nowhere', '../README', '__proto__']) expect(guidePage(name, BASE)).toBeUndefined();
  });
});

describe('the text of a guide', () => {
  const guide = readGuide(`# A \`guide\`

What it [is](webhooks.md) about.

## First & last

Text with \`<code>\`, see [there](catching-up.md#follow) and [above](#first--last).

| a | b |
| --- | --- |
| 1 | <https://x.example> |

\`\`\`ts a.mts
const a = '<b>';
\`\`\`
`);

  it('the text of a guide has a title, a summary, and a section for each heading', () => {
    expect(guide).toMatchObject({ title: 'A guide', summary: 'What it is about.' });
    expect(guide.introduction.html).toBe('<p>What it <a href="webhooks">is</a> about.</p>\n');
    expect(guide.sections).toMatchObject([{ id: 'first--last', text: 'First & last' }]);
  });

  it('the text of a guide is escaped, and its links lead to pages', () => {
    const { html } = guide.sections[0]!.content;
    expect(html).toContain('Text with <code>&lt;code&gt;</code>, see <a href="catching-up#follow">there</a>');
    expect(html).toContain('<a href="#first--last">above</a>');
    expect(html).toContain('<td><a href="https://x.example">https://x.example</a></td>');
    expect(html).toContain(
      '<figcaption>a.mts</figcaption><pre tabindex="0"><code>const a = &#39;&lt;b&gt;&#39;;</code></pre>',
    );
  });

  it.each([
    ['Text without a title', 'begins with its title'],
    ['# Title\n\n<b>HTML</b>', 'no HTML'],
    ['# Title\n\n[there](../events.md)', 'is on no page'],
    ['# Title\n\n[there](javascript:alert(1))', 'is on no page'],
  ])('the text of a guide is refused: %j', (text, problem) => {
    expect(() => readGuide(text)).toThrow(problem);
  });

  it('the text of a guide says what its blocks are', () => {
    expect(codeBlock('sh')).toEqual({ language: 'sh' });
    expect(codeBlock('sh terminal=receiver')).toEqual({ language: 'sh', terminal: 'receiver' });
    expect(codeBlock('ts receiver.mts')).toEqual({ language: 'ts', file: 'receiver.mts' });
  });
});
