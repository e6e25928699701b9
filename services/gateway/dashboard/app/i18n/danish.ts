import type { Catalogue } from './translate.ts';

export const danish: Catalogue = {};
