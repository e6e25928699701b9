import type { Employee } from './api/schema.d.ts';

/** What the server tells about the signed-in employee. */
export interface Session {
  readonly employeeId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Employee['role'];
  /** Of the form that signs out; another one after a change of the password. */
  signOutToken: string;
  /** Where a sandbox runs; null in production. */
  readonly sandboxUrl: string | null;
}

export const session: Session = readSession(document.body.dataset['session']);

function readSession(text: string | undefined): Session {
  const given = JSON.parse(text ?? '{}') as Record<string, string | null>;
  return {
    employeeId: given['employee_id'] ?? '',
    name: given['name'] ?? '',
    email: given['email'] ?? '',
    role: (given['role'] ?? 'member') as Employee['role'],
    signOutToken: given['sign_out_token'] ?? '',
    sandboxUrl: given['sandbox_url'] ?? null,
  };
}

/** What one may not do is absent; the API refuses it in any case. */
export const isOwner = session.role === 'owner';
export const isAdmin = isOwner || session.role === 'admin';

/** Whether the signed-in employee may change or remove another one. */
export function mayManage({ role }: Pick<Employee, 'role'>): boolean {
  return isOwner || (isAdmin && role !== 'owner');
}
