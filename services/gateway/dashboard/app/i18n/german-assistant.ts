import type { Catalogue } from './translate.ts';

/** The assistant that answers the phone: setting it up, and what it knows. */
export const germanAssistant: Catalogue = {
  'If it cannot help': 'Wenn er nicht helfen kann',
  'There is no assistant yet.': 'Es gibt noch keinen Assistenten.',
  'Create the first assistant': 'Den ersten Assistenten anlegen',
  'Choose an assistant': 'Assistenten wählen',
  '{name} (not active)': '{name} (nicht aktiv)',
  'Assistant created': 'Assistent angelegt',
  'Assistant changed': 'Assistent geändert',
  'Assistant deleted': 'Assistent gelöscht',
  'Answer added': 'Antwort hinzugefügt',
  'Answer changed': 'Antwort geändert',
  'Answer deleted': 'Antwort gelöscht',
  'Language model changed': 'Sprachmodell geändert',
  'Language model removed': 'Sprachmodell entfernt',
};
