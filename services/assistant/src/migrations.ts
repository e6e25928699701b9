import type { Migration } from '@parley/mongo';

export const migrations: readonly Migration[] = [];
