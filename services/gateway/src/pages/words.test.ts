import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { markup } from '@parley/http';
import { danishAccount } from '../../dashboard/app/i18n/danish-account.ts';
import { germanAccount } from '../../dashboard/app/i18n/german-account.ts';
import { preferredLanguage, t } from './words.ts';

it.each([
  [undefined, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['da', 'da'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['fr-FR, da;q=0.4, de;q=0.7', 'de'],
  ['da;q=0, en', 'en'],
  ['__proto__,constructor', 'en'],
  ['da;q=x;q=0.5, de;q=0.6', 'de'],
])('the language of %j is %s', (header, language) => {
  expect(preferredLanguage(header)).toBe(language);
});

it('the pages put values into sentences, and escape them', () => {
  const link = markup`<a href="/signin">x</a>`;
  expect(t({ language: 'en' }, 'For {email}: {link}.', { email: '<b>', link }).html).toBe(
    'For &lt;b&gt;: <a href="/signin">x</a>.',
  );
  expect(t({ language: 'da' }, 'Sign in').html).toBe('Log ind');
});

describe.each([
  ['Danish', danishAccount],
  ['German', germanAccount],
])('the pages in %s', (_language, catalogue) => {
  it('the pages in another language lack no sentence', async () => {
    const files = (await readdir(import.meta.dirname)).filter((name) => !name.endsWith('.test.ts'));
    const sources = await Promise.all(files.map((name) => readFile(path.join(import.meta.dirname, name), 'utf8')));
    const sentences = sources.flatMap((source) =>
      [...source.matchAll(/\bt\(\s*visitor,\s*'((?:[^'\\]|\\.)+)'/g)].map(([, text]) => text!.replaceAll("\\'", "'")),
    );
    expect(sentences.length).toBeGreaterThan(80);
    expect(sentences.filter((text) => !(text in catalogue))).toEqual([]);
  });
});
