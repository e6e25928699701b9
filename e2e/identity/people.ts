import { foundCompany, operate, sharedStack } from '../support/api.ts';
import { type Page, visit, type Visitor } from './visitor.ts';

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
  const company = await foundCompany(stack);
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
