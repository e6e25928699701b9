import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { VERSION } from './version.ts';

const repository = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(repository, file), 'utf8');

describe('the version', () => {
  it('is that of the package, the chart and the newest release in the changelog', () => {
    expect((JSON.parse(read('package.json')) as { version: string }).version).toBe(VERSION);
    const chart = read('helm/parley/Chart.yaml');
    expect([...chart.matchAll(/^(?:version|appVersion): (.*)$/gm)].map(([, version]) => version)).toEqual([
      VERSION,
      VERSION,
    ]);
    expect(/^## (?!Unreleased$)(\S+)/m.exec(read('CHANGELOG.md'))?.[1]).toBe(VERSION);
  });
});
