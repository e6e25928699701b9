/** Every type of entry in the audit log, and when there is one. docs/audit.md is the same list for readers. */
export const auditTypes = {
  'company.created': 'The operator created the company.',
  'company.updated': 'A field of the company changed, also by the operator (name, texting, limits, destinations).',
  'employee.created': 'An employee was added.',
  'employee.updated': 'The name or the phone number of an employee changed.',
  'employee.role_changed': 'The role of an employee changed.',
  'employee.email_changed': 'The e-mail address of an employee changed; it may have to be confirmed.',
  'employee.email_confirmed': 'A new e-mail address was confirmed.',
  'employee.removed': 'An employee was removed. The entries of their ended credentials follow.',
  'api_key.created': 'An API key was created.',
  'api_key.rotated': 'An API key got a new secret.',
  'api_key.revoked': 'An API key was revoked, also because its employee was removed.',
  'connected_app.created': 'An employee allowed an app to act for them (OAuth).',
  'connected_app.revoked': 'What an employee allowed an app has ended.',
  'session.created': 'An employee signed in on the pages.',
  'session.ended': 'An employee signed out, or the session was ended.',
  'sign_in.failed':
    'Somebody entered a wrong password or one-time code; the object is the employee whose address was entered.',
  'password.changed': 'An employee has a new password; it ends their other sessions.',
  'two_factor.enabled': 'An employee set up a second factor.',
  'two_factor.disabled': 'An employee turned their second factor off.',
  'two_factor.reset': 'The operator removed a lost second factor; it ends the employee’s sessions.',
  'business_number.created': 'The operator added a business number.',
  'business_number.released': 'The operator took a business number away.',
  'business_number.updated': 'A setting of a business number changed.',
  'business_number.routing_changed': 'What happens to calls changed; prompts and forwarding numbers are not shown.',
  'business_number.hours_changed': 'The business hours or the closures changed.',
  'business_number.texting_settings_changed': 'The automatic reply changed; its text is not shown.',
  'business_number.registration_changed': 'The registration of a number has another status.',
  'erasure.requested': 'The erasure of a person was requested; whose it is, is not shown.',
} as const satisfies Readonly<Record<`${string}.${string}`, string>>;

export type AuditType = keyof typeof auditTypes;
