import type { Contact } from '@parley/sdk';
import { isAbout, type Scenario } from '../scenario.ts';
import { isTaken, type Stage } from '../stage.ts';

const TRIES_MAX = 5;

/** Contacts stay, so that a program that gets the event can read them. */
export async function newContact(stage: Stage): Promise<Contact> {
  const { parley, signal } = stage;
  for (let tries = 1; ; tries++) {
    try {
      return await parley.contacts.create(
        { phone: stage.customer(), name: 'Ane Vinter', email: 'ane@vinter.example' },
        { signal },
      );
    } catch (error) {
      if (!isTaken(error) || tries === TRIES_MAX) throw error;
    }
  }
}

export const contactScenarios = {
  'contact.created': {
    description: 'A contact is added.',
    run: async (stage) => isAbout((await newContact(stage)).id, 'contact'),
  },
  'contact.updated': {
    description: 'A contact is added, and gets a company.',
    async run(stage) {
      const { id } = await newContact(stage);
      await stage.parley.contacts.update(id, { company_name: 'Vinter ApS' }, { signal: stage.signal });
      return isAbout(id, 'contact');
    },
  },
  'contact.deleted': {
    description: 'A contact is added and removed.',
    async run(stage) {
      const { id } = await newContact(stage);
      await stage.parley.contacts.delete(id, { signal: stage.signal });
      return isAbout(id, 'contact');
    },
  },
} satisfies Record<string, Scenario>;
