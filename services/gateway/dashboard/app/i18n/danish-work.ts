import type { Catalogue } from './translate.ts';

/** The shell, components, phone, inbox, home and account. */
export const danishWork: Catalogue = {};
