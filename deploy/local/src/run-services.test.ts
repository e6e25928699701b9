import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { NODE_ARGS } from './run-services.ts';

describe('a service in a separate process', () => {
  it('a service in a separate process runs with the memory settings that its image has', () => {
    const recipe = readFileSync(path.resolve(import.meta.dirname, '../../images/Dockerfile'), 'utf8');
    const [entrypoint = '[]'] = /(?<=^ENTRYPOINT )\[[^\]]*\]/m.exec(recipe) ?? [];
    const [node, ...args] = JSON.parse(entrypoint.replaceAll('\\', '')) as string[];
    expect(node).toBe('node');
    expect(args.slice(0, -2)).toEqual(NODE_ARGS);
  });
});
