import type { Catalogue } from './translate.ts';

/** The assistant that answers the phone: setting it up, and what it knows. */
export const danishAssistant: Catalogue = {
  'If it cannot help': 'Hvis den ikke kan hjælpe',
  'There is no assistant yet.': 'Der er ingen assistent endnu.',
  'Create the first assistant': 'Opret den første assistent',
  'Choose an assistant': 'Vælg en assistent',
  '{name} (not active)': '{name} (ikke aktiv)',
  'Assistant created': 'Assistent oprettet',
  'Assistant changed': 'Assistent ændret',
  'Assistant deleted': 'Assistent slettet',
  'Answer added': 'Svar tilføjet',
  'Answer changed': 'Svar ændret',
  'Answer deleted': 'Svar slettet',
  'Language model changed': 'Sprogmodel ændret',
  'Language model removed': 'Sprogmodel fjernet',
};
