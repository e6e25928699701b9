import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { VERSION } from './version.ts';

const repository = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(repository, file), 'utf8');
const versionOfPackage = (file: string) => (JSON.parse(read(file)) as { version?: string }).version;

describe('the version', () => {
  it('the version of services is that of the repository, the chart and the newest release in the changelog', () => {
    expect(versionOfPackage('package.json')).toBe(VERSION);
    const chart = read('helm/parley/Chart.yaml');
    expect([...chart.matchAll(/^(?:version|appVersion): (.*)$/gm)].map(([, version]) => version)).toEqual([
      VERSION,
      VERSION,
    ]);
    expect(/^## (?!Unreleased$)(\S+)/m.exec(read('CHANGELOG.md'))?.[1]).toBe(VERSION);
  });

  it('examples name the images of this version', () => {
    const examples = ['helm/parley/README.md', 'deploy/images/Dockerfile', 'deploy/freeswitch/Dockerfile'].map(read);
    const named = examples.flatMap((text) => [...text.matchAll(/(?:parley\/[a-z]+:|tag: )(\d+\.\d+\.\d+)/g)]);
    expect(named.map(([, version]) => version)).toEqual([VERSION, VERSION, VERSION, VERSION]);
  });

  it('the packages of the workspace do not repeat the version', () => {
    const packages = globSync('{libs,services,deploy}/*/package.json', { cwd: repository });
    expect(packages.length).toBeGreaterThan(30);
    expect(packages.filter((file) => versionOfPackage(file) !== undefined)).toEqual([]);
  });
});
