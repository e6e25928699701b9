import { readFileSync } from 'node:fs';
import { markup } from '@parley/http';
import { docsPage } from '../docs-page.ts';
import { type GuideParts, readGuide } from './markdown.ts';

/** In the order in which a newcomer reads them. */
const NAMES = [
  'quickstart-curl',
  'quickstart-typescript',
  'quickstart-python',
  'webhooks',
  'catching-up',
  'oauth-app',
  'command-line',
  'testing-with-the-sandbox',
  'conformance',
] as const;

const FOLDER = new URL('../../../../../docs/developers/', import.meta.url);

/** Read when the program is loaded: an image without them does not start. */
const guides = new Map(
  NAMES.map((name) => [name as string, readGuide(readFileSync(new URL(`${name}.md`, FOLDER), 'utf8'))]),
);

/** The address that guides have, that of the local stack. */
const WRITTEN_URL = 'http://127.0.0.1:8080';

/** The page of a guide with the reader's own base address; undefined if there is no such guide. */
export function guidePage(name: string, baseUrl: string): string | undefined {
  const guide = guides.get(name);
  if (!guide) return undefined;
  const page = docsPage({
    title: guide.title,
    root: '../..',
    introduction: guide.introduction,
    contents: guide.sections,
    sections: guide.sections.map(
      ({ id, text, content }) =>
        markup`<section aria-labelledby="${id}"><h2 id="${id}"><a href="#${id}">${text}</a></h2>\n${content}</section>\n`,
    ),
  });
  return page.replaceAll(WRITTEN_URL, () => markup`${baseUrl}`.html);
}

/** The page that lists all guides. */
export function guidesPage(): string {
  return docsPage({
    title: 'Guides',
    root: '..',
    introduction: markup`<p>Each guide is complete by itself. Its commands and programs are executed, and what they print is compared, before a version is released.</p>`,
    contents: [...guides].map(([name, { title }]) => ({ id: name, text: title })),
    sections: [...guides].map(
      ([name, { title, summary }]: [string, GuideParts]) =>
        markup`<section aria-labelledby="${name}"><h2 id="${name}"><a href="guides/${name}">${title}</a></h2>\n<p>${summary}</p></section>\n`,
    ),
  });
}
