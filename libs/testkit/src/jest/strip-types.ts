import { stripTypeScriptTypes } from 'node:module';

/** Jest's transform of a stock run: what Node.js does itself when it imports TypeScript. */
const transform = {
  process: (source: string, file: string) => ({
    code: file.endsWith('.ts') ? stripTypeScriptTypes(source, { mode: 'strip' }) : source,
  }),
};

// Jest loads this file with `require`.
export { transform as 'module.exports' };
