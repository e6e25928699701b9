import type { Catalogue } from './translate.ts';

export const german: Catalogue = {};
