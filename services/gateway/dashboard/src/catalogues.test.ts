import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { danish } from '../app/i18n/danish.ts';
import { german } from '../app/i18n/german.ts';
import { activityTypes } from '../app/settings/activity/activity-text.ts';

const APP = path.join(import.meta.dirname, '../app');

/** The English sentences in the sources: the literals that are translated. */
async function sentences(): Promise<Set<string>> {
  const files = (await readdir(APP, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
  const sources = await Promise.all(
    files.filter((name) => !name.startsWith('i18n')).map((name) => readFile(path.join(APP, name), 'utf8')),
  );
  const found = sources.flatMap((source) => [
    ...[...source.matchAll(/\bt\(\s*'((?:[^'\\]|\\.)+)'/g)].map(([, text]) => text!),
    ...[...source.matchAll(/\btn\(\s*[^,']+,\s*'((?:[^'\\]|\\.)+)',\s*'((?:[^'\\]|\\.)+)'/g)].flatMap(([, a, b]) => [
      a!,
      b!,
    ]),
    ...[...source.matchAll(/\btOf\('(\w+)', '([^']+)'\)/g)].map(([, of, text]) => `${text} (${of})`),
  ]);
  return new Set(found.map((text) => text.replaceAll("\\'", "'")));
}

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted();

describe.each([
  ['Danish', danish],
  ['German', german],
])('the sentences in %s', (_language, catalogue) => {
  it('catalogues are complete', async () => {
    expect([...(await sentences())].filter((text) => !(text in catalogue))).toEqual([]);
  });

  it('catalogues have the placeholders of the English ones', () => {
    for (const [english, translated] of Object.entries(catalogue))
      expect([english, placeholders(translated)]).toEqual([english, placeholders(english)]);
  });
});

it('the activity log has words for everything that docs/audit.md lists', async () => {
  const text = await readFile(new URL('../../../../docs/audit.md', import.meta.url), 'utf8');
  const listed = [...text.matchAll(/^\| `([a-z_]+\.[a-z_]+)`/gm)].map(([, type]) => type);
  expect(activityTypes().map(([type]) => type)).toEqual(listed);
});
