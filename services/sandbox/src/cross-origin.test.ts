import { describe, expect, it } from '@jest/globals';
import { ownOrigins } from './cross-origin.ts';

describe('the origins of our own pages', () => {
  it('the origins of our own pages are the public address and the local names of its port', () => {
    const local = ['http://127.0.0.1:8080', 'http://localhost:8080'];
    expect([...ownOrigins('http://127.0.0.1:8080')]).toEqual(local);
    expect([...ownOrigins('http://parley.test:8080/')]).toEqual(['http://parley.test:8080', ...local]);
    expect([...ownOrigins('https://parley.test')]).toEqual([
      'https://parley.test',
      'https://127.0.0.1',
      'https://localhost',
    ]);
  });

  it('the origins of our own pages are none without a public address', () => {
    expect(ownOrigins(undefined).size).toBe(0);
  });
});
