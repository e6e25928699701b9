import { HttpClient } from '@parley/sdk';
import { requireBaseUrl, USER_AGENT } from '../access.ts';
import type { Context } from '../context.ts';
import { CommandError, ExitCode } from '../errors.ts';

export const DOCUMENTS = ['openapi', 'asyncapi'] as const;

/** `parley docs`: a document of the installation, for generators and readers. Nobody needs to be signed in. */
export async function docs(context: Context, document: (typeof DOCUMENTS)[number]): Promise<void> {
  const baseUrl = await requireBaseUrl(context);
  const client = new HttpClient({ baseUrl, userAgent: USER_AGENT });
  const { body } = await client.request('GET', `/${document}.json`, { signal: context.system.signal });
  if (typeof body !== 'object' || body === null)
    throw new CommandError(
      ExitCode.refused,
      `${baseUrl}/${document}.json is no JSON`,
      'Is it the address of a Parley?',
    );
  context.output.json(body);
}
