import type * as jestGlobals from '@jest/globals';

type Globals = typeof jestGlobals;

/** Replaces `@jest/globals` in a test process: live bindings, which refer to the running test file. */
export let afterAll: Globals['afterAll'];
export let afterEach: Globals['afterEach'];
export let beforeAll: Globals['beforeAll'];
export let beforeEach: Globals['beforeEach'];
export let describe: Globals['describe'];
export let expect: Globals['expect'];
export let it: Globals['it'];
export let test: Globals['test'];
export let jest: Partial<Globals['jest']>;

export function setGlobals(globals: Omit<Globals, 'jest'>, jestObject: Partial<Globals['jest']>): void {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } = globals);
  jest = jestObject;
}
