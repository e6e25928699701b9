import path from 'node:path';

/** The top of the repository. */
export const root = path.resolve(import.meta.dirname, '../../..');
