import { createTestCompany, operate, sandbox, sharedStack } from '../support/api.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { type Page, visit, type Visitor } from './visitor.ts';

/** The page after a sign-in. */
export const HOME = { path: '/dashboard/inbox', title: 'Inbox' };

export const PASSWORD = 'correct horse battery staple';

/** An employee at a browser. */
export interface Person extends Visitor {
  readonly email: string;
  readonly employeeId: string;
  readonly companyId: string;
  readonly apiKey: string;
}

/** The owner of a new company, not signed in. */
export async function newPerson(): Promise<Person> {
  const stack = sharedStack();
  const company = await createTestCompany(stack);
  return {
    ...visit(stack.base_url),
    email: company.owner.email,
    employeeId: company.owner.id,
    companyId: company.id,
    apiKey: company.apiKey,
  };
}

/** Signs in from wherever `path` leads, and answers where that ended. */
export async function signIn(person: Person, path = '/signin', password = PASSWORD): Promise<Page> {
  return person.press(await person.open(path), 'Sign in', { Email: person.email, Password: password });
}

export async function setPassword(person: Person, password: string): Promise<number> {
  return (await operate(sharedStack(), 'PUT', `/employees/${person.employeeId}/password`, { password })).status;
}

/** An e-mail as the sandbox's mail server took it. */
export interface Email {
  readonly subject: string;
  readonly text: string;
  readonly links: readonly string[];
}

/** The e-mails to an address, newest first. */
export async function emailsTo(email: string, stack = sharedStack()): Promise<Email[]> {
  return (await sandbox(stack, 'GET', `/emails?to=${encodeURIComponent(email)}`)).body;
}

/** The link in the newest e-mail to an address once `count` of them have arrived, relative to the base address. */
export async function linkTo(email: string, count = 1, stack = sharedStack()): Promise<string> {
  const link = await waitUntil(
    async () => {
      const emails = await emailsTo(email, stack);
      return emails.length >= count && emails[0]?.links[0];
    },
    { what: `e-mail ${count} to ${email}` },
  );
  return link.slice(stack.base_url.length);
}
