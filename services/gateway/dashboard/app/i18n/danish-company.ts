import type { Catalogue } from './translate.ts';

/** Calls, contacts, numbers, team, webhooks, settings, sandbox. */
export const danishCompany: Catalogue = {};
