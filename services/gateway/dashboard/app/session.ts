import type { Employee } from './api/schema.d.ts';

/** The server's description of the signed-in employee. */
export interface Session {
  readonly employeeId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Employee['role'];
  /** The token of the sign-out form; it changes with the password. */
  signOutToken: string;
  /** The base address of the API, as programs use it. */
  readonly baseUrl: string;
  /** Null in production. */
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
    baseUrl: given['base_url'] ?? '',
    sandboxUrl: given['sandbox_url'] ?? null,
  };
}

/** Controls without permission are not rendered; the API refuses them in any case. */
export const isOwner = session.role === 'owner';
export const isAdmin = isOwner || session.role === 'admin';

/** True when the signed-in employee may change or remove the other one. */
export function mayManage({ role }: Pick<Employee, 'role'>): boolean {
  return isOwner || (isAdmin && role !== 'owner');
}
