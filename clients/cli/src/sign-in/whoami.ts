import { PermissionError } from '@parley/sdk';
import { openAccess } from '../access.ts';
import type { Context } from '../context.ts';

/** Where the command line is signed in, and for which company. */
export async function whoami(context: Context): Promise<void> {
  const { output, profile } = context;
  const { baseUrl, parley, credential } = await openAccess(context);
  const { id, name } = await parley.company.get({ signal: context.system.signal });
  const isAdmin = await parley.events.types({ signal: context.system.signal }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof PermissionError) return false;
      throw error;
    },
  );
  const how = credential === 'api_key' ? 'the key in PARLEY_API_KEY' : `the sign-in of the profile ${profile.name}`;
  if (output.isJson)
    return output.json({ base_url: baseUrl, profile: profile.name, credential, company: { id, name }, admin: isAdmin });
  output.line(`${name} (${id}) at ${baseUrl}`);
  output.line(
    `with ${how}, ${isAdmin ? 'as an admin' : 'not as an admin: events, webhooks and the audit log are refused'}`,
  );
}
