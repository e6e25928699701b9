import { describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { AREAS, partsOf } from './check.ts';
import { checks } from './index.ts';

describe('the checks', () => {
  it('the checks have ids of their area that no other has', () => {
    expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
    for (const { id, area } of checks) expect(id).toMatch(new RegExp(`^${area.toUpperCase()}-\\d{3}$`));
  });

  it('the checks have a sentence, which no other has, and a source', () => {
    const sentences = checks.map(({ sentence, area }) => `${area}: ${sentence}`);
    expect(sentences.filter((sentence, index) => sentences.indexOf(sentence) !== index)).toEqual([]);
    for (const { sentence, source } of checks) {
      expect(sentence).toMatch(/^[A-Z`/].+[^.]\.$/);
      expect(partsOf(source)).toEqual({
        document: expect.stringMatching(/\.md$/),
        heading: expect.stringMatching(/\S/),
      });
    }
  });

  it('the checks of a folder are those of its area', () => {
    const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const { name } of folders) {
      expect(AREAS).toContain(name);
      expect(readdirSync(path.join(import.meta.dirname, name))).toContain('index.ts');
    }
    expect(new Set(folders.map(({ name }) => name))).toEqual(new Set(checks.map(({ area }) => area)));
  });
});
