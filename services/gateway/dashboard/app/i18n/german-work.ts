import type { Catalogue } from './translate.ts';

/** The shell, components, phone, inbox, home and account. */
export const germanWork: Catalogue = {};
