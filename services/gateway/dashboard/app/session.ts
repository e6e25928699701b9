/** What the server tells about the signed-in employee. */
export interface Session {
  readonly employeeId: string;
  readonly name: string;
  readonly email: string;
  /** What the employee may do, where the server says so; entries of the navigation may need one. */
  readonly role: string | null;
  readonly signOutToken: string;
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
    role: given['role'] ?? null,
    signOutToken: given['sign_out_token'] ?? '',
    sandboxUrl: given['sandbox_url'] ?? null,
  };
}

/** What one may not do is absent; the API refuses it in any case. A server that names no role decides alone. */
export const isOwner = session.role === null || session.role === 'owner';
export const isAdmin = isOwner || session.role === 'admin';

/** Whether the signed-in employee may change or remove another one. */
export function mayManage({ role }: { readonly role?: string }): boolean {
  return isOwner || (isAdmin && role !== 'owner');
}
