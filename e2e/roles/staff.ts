import { newTokens, registerApp } from '../identity/app.ts';
import { PASSWORD, type Person, signIn } from '../identity/people.ts';
import { visit } from '../identity/visitor.ts';
import { type Company, operate, type Reply, send, sharedStack, succeeded } from '../support/api.ts';

export type Role = 'member' | 'admin' | 'owner';

/** An employee with every kind of credential. */
export interface Colleague extends Person {
  readonly role: Role;
  readonly byKey: Record<string, string>;
  readonly bySession: Record<string, string>;
  readonly byToken: Record<string, string>;
}

/** Sends a request of the public API with the headers of a credential. */
export function request(headers: Record<string, string>, method: string, path: string, body?: unknown): Promise<Reply> {
  return send(method.toUpperCase(), `${sharedStack().base_url}/api/v1${path}`, { headers, body });
}

/** A new employee of the company; the owner it was created with for `owner`. */
export async function newColleague(company: Company, role: Role): Promise<Colleague> {
  const stack = sharedStack();
  const { id, email } = role === 'owner' ? company.owner : await invite(company, role);
  const key = await succeeded(operate(stack, 'POST', `/employees/${id}/api_keys`, { name: 'Test' }));
  if (role !== 'owner') await succeeded(operate(stack, 'PUT', `/employees/${id}/password`, { password: PASSWORD }));
  const apiKey: string = key.body.api_key;
  const person: Person = { ...visit(stack.base_url), email, employeeId: id, companyId: company.id, apiKey };
  await signIn(person);
  const tokens = await newTokens(person, await registerApp());
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return {
    ...person,
    role,
    byKey: { 'X-Api-Key': apiKey },
    bySession: { cookie },
    byToken: { Authorization: `Bearer ${tokens.access_token}` },
  };
}

async function invite(company: Company, role: Role): Promise<{ id: string; email: string }> {
  const email = `${role}.${Math.random().toString(36).slice(2)}@example.com`;
  return (await succeeded(company.call('POST', '/employees', { name: `A ${role}`, email, role }))).body;
}
