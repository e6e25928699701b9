import { createContext, Script } from 'node:vm';

/** Less than a step of a process may take. */
const LIMIT_MS = 20;
const TEXT_LENGTH_MAX = 4_000;

const context = createContext({ pattern: '', text: '' });
const test = new Script('new RegExp(pattern, "i").test(text)');

/**
 * Whether an expression of a script fits a text, upper or lower case. An expression that backtracks for ever does not: the limit of
 * `node:vm` ends it, which nothing else in this process could.
 */
export function matches(pattern: string, text: string): boolean {
  Object.assign(context, { pattern, text: text.slice(-TEXT_LENGTH_MAX) });
  try {
    return test.runInContext(context, { timeout: LIMIT_MS }) === true;
  } catch {
    return false;
  }
}
