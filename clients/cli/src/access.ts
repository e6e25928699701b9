import { AuthenticationError, type OAuthTokens, Parley, type RenewTokens } from '@parley/sdk';
import type { Context } from './context.ts';
import { CommandError, ExitCode, wrongUsage } from './errors.ts';
import type { Profile } from './profiles/profiles.ts';
import { VERSION } from './version.ts';

export const USER_AGENT = `parley-cli/${VERSION}`;

/** The service, and as whom it is called. */
export interface Access {
  readonly baseUrl: string;
  readonly parley: Parley;
  readonly credential: 'api_key' | 'sign_in';
}

export interface AccessOptions {
  /** Instead of the runtime's: to show requests. */
  readonly fetch?: typeof fetch | undefined;
}

/** With the key of the environment, or else the tokens of the profile. */
export async function openAccess(context: Context, options: AccessOptions = {}): Promise<Access> {
  const { env } = context.system;
  const key = env['PARLEY_API_KEY'];
  if (key !== undefined && key !== '') {
    const baseUrl = await requireBaseUrl(context);
    const parley = new Parley({ baseUrl, apiKey: key, userAgent: USER_AGENT, ...options });
    return { baseUrl, parley, credential: 'api_key' };
  }
  const profile = await context.profile.read();
  if (!profile) throw notSignedIn(context);
  requireSameService(context, profile);
  const { base_url: baseUrl, client_id: clientId, tokens } = profile;
  const renewTokens = renewal(context, profile);
  const parley = new Parley({ baseUrl, oauth: { clientId, tokens, renewTokens }, userAgent: USER_AGENT, ...options });
  return { baseUrl, parley, credential: 'sign_in' };
}

/** The address of the environment, or else that of the profile. */
export async function baseUrlOf({ system, profile }: Context): Promise<string | undefined> {
  return system.env['PARLEY_BASE_URL'] || (await profile.read())?.base_url;
}

export async function requireBaseUrl(context: Context): Promise<string> {
  const baseUrl = await baseUrlOf(context);
  if (baseUrl === undefined)
    throw wrongUsage('which service is meant?', 'Set PARLEY_BASE_URL, or sign in with "parley login --url <address>".');
  return withoutSlash(baseUrl);
}

export function withoutSlash(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, '');
}

function notSignedIn({ profile }: Context): CommandError {
  const message = profile.name === 'default' ? 'not signed in' : `not signed in with the profile ${profile.name}`;
  const hint = 'Sign in with "parley login --url <address>", or set PARLEY_API_KEY and PARLEY_BASE_URL.';
  return new CommandError(ExitCode.notSignedIn, message, hint);
}

/** The tokens of one service are not sent to another. */
function requireSameService({ system, profile }: Context, { base_url: baseUrl }: Profile): void {
  const wanted = system.env['PARLEY_BASE_URL'];
  if (!wanted || withoutSlash(wanted) === withoutSlash(baseUrl)) return;
  throw new CommandError(
    ExitCode.notSignedIn,
    `the profile ${profile.name} is signed in at ${baseUrl}, and PARLEY_BASE_URL is ${wanted}`,
    'Unset PARLEY_BASE_URL, set PARLEY_API_KEY too, or sign in there with another --profile.',
  );
}

/** Between two looks for the tokens that another process is storing. */
const LOOK_EVERY_MS = 100;
const LOOKS = 20;

/**
 * Tokens are shared by all commands of a profile, and a refresh token is valid once: one process at a time refreshes them, and takes what
 * another one has stored meanwhile.
 */
function renewal({ profile, output }: Context, signedInAs: Profile): RenewTokens {
  const storedInstead = async (refused: OAuthTokens): Promise<OAuthTokens | undefined> => {
    const stored = await profile.read();
    if (!stored) throw new AuthenticationError('signed out meanwhile');
    if (stored.client_id !== signedInAs.client_id || stored.base_url !== signedInAs.base_url)
      throw new AuthenticationError('signed in anew meanwhile: run the command again');
    return stored.tokens.access_token === refused.access_token ? undefined : stored.tokens;
  };
  return (refused, refresh) =>
    profile.locked(async () => {
      const stored = await storedInstead(refused);
      if (stored) return stored;
      const tokens = await refresh(refused.refresh_token).catch(async (error: unknown) => {
        const others = isSpent(error) ? await awaitOthers(() => storedInstead(refused)) : undefined;
        if (others) return others;
        throw error;
      });
      await profile
        .write({ ...signedInAs, tokens })
        .catch((error: Error) =>
          output.note(`The new tokens cannot be stored (${error.message}): the next command has to sign in again.`),
        );
      return tokens;
    });
}

function isSpent(error: unknown): boolean {
  return error instanceof AuthenticationError && error.code === 'invalid_grant';
}

/** A process that took over the lock at the same moment has spent the refresh token, and stores what it got. */
async function awaitOthers(look: () => Promise<OAuthTokens | undefined>): Promise<OAuthTokens | undefined> {
  for (let looks = 0; looks < LOOKS; looks++) {
    const found = await look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return undefined;
}
