import { AuthenticationError, type OAuthTokens, ParleyError, ParleyOAuth } from '@parley/sdk';
import { baseUrlOf, USER_AGENT, withoutSlash } from '../access.ts';
import type { Context } from '../context.ts';
import { CommandError, ExitCode, wrongUsage } from '../errors.ts';
import { printable } from '../output/terminal-text.ts';
import type { Profile } from '../profiles/profiles.ts';
import { openLoopbackServer } from './loopback-server.ts';
import { openBrowser } from './open-browser.ts';

export interface LoginOptions {
  readonly url?: string;
  readonly device?: boolean;
}

/** The client that every installation has for the device grant. */
const DEVICE_CLIENT_ID = 'parley-cli';
/** As long as the service takes a code. */
const BROWSER_LIMIT_MS = 10 * 60_000;
const HOST_LENGTH_MAX = 60;

export async function login(context: Context, options: LoginOptions): Promise<void> {
  const { output, profile, system } = context;
  const before = await profile.read();
  const baseUrl = withoutSlash(options.url ?? (await baseUrlOf(context)) ?? '');
  if (baseUrl === '')
    throw wrongUsage('which service is meant?', 'Name it: "parley login --url https://phone.example".');
  if (isUnencrypted(baseUrl)) output.note(`${baseUrl} is not encrypted: others may read what is sent.`);
  const signIn = options.device === true ? signInByDevice : signInByBrowser;
  const signedIn = await signIn(context, baseUrl).catch((error: unknown) => {
    // Somebody who is refused has nothing that would have to be renewed.
    if (error instanceof AuthenticationError || isRefusal(error))
      throw new CommandError(ExitCode.refused, explained(error as ParleyError), 'Begin again with "parley login".');
    throw error;
  });
  await profile.write({ base_url: baseUrl, ...signedIn });
  if (before) await revokeQuietly(before);
  if (output.isJson) output.json({ profile: profile.name, base_url: baseUrl, client_id: signedIn.client_id });
  else output.line(`Signed in at ${baseUrl}. The tokens are in ${profile.file}.`);
  if (system.env['PARLEY_API_KEY']) output.note('PARLEY_API_KEY is set: commands use it instead of this sign-in.');
}

type SignedIn = Pick<Profile, 'client_id' | 'tokens'>;

/** Registers the program for this one redirect address, whose port is new each time. */
async function signInByBrowser({ system, output }: Context, baseUrl: string): Promise<SignedIn> {
  const loopback = await openLoopbackServer();
  try {
    const { redirectUri } = loopback;
    const oauth = new ParleyOAuth({ baseUrl, redirectUri, userAgent: USER_AGENT });
    const client = { client_name: clientName(system.hostname), redirect_uris: [redirectUri] };
    const { client_id: clientId } = await oauth.register(client);
    const { url } = await oauth.authorizationUrl();
    const limit = AbortSignal.any([system.signal, AbortSignal.timeout(BROWSER_LIMIT_MS)]);
    const waiting = loopback.result((address) => tokensOf(oauth, address), limit);
    if (output.isJson) output.jsonLine({ authorization_url: url });
    const isOpen = await openBrowser(url, system);
    output.note(
      isOpen
        ? 'Allow the sign-in in your browser. If none has opened, use this address:'
        : 'Open this address in a browser on this machine and allow the sign-in:',
    );
    output.note(url);
    if (!isOpen) output.note('On a machine without a browser: "parley login --device".');
    const tokens = await waiting.catch((error: unknown) => {
      if (!system.signal.aborted && limit.aborted)
        throw new CommandError(
          ExitCode.refused,
          'nobody has allowed it within ten minutes',
          'Begin again with "parley login".',
        );
      throw error;
    });
    return { client_id: clientId, tokens };
  } finally {
    loopback.close();
  }
}

/** Undefined when the address answers something else than what was begun here. */
async function tokensOf(oauth: ParleyOAuth, address: string): Promise<OAuthTokens | undefined> {
  try {
    return await oauth.callback(address);
  } catch (error) {
    if (error instanceof AuthenticationError && error.code === 'invalid_state') return undefined;
    throw error;
  }
}

async function signInByDevice({ system, output }: Context, baseUrl: string): Promise<SignedIn> {
  const oauth = new ParleyOAuth({ baseUrl, clientId: DEVICE_CLIENT_ID, userAgent: USER_AGENT });
  const device = await oauth.deviceAuthorization();
  const { user_code: code, verification_uri: address, verification_uri_complete: complete, expires_in: secs } = device;
  if (output.isJson)
    output.jsonLine({
      user_code: code,
      verification_uri: address,
      verification_uri_complete: complete,
      expires_in: secs,
    });
  output.note(`Open ${address} in any browser and enter this code:`);
  output.note(`    ${String(code)}`);
  if (complete !== undefined) output.note(`Or open ${complete}`);
  output.note('Waiting …');
  return { client_id: DEVICE_CLIENT_ID, tokens: await device.tokens({ signal: system.signal }) };
}

export async function logout({ output, profile }: Context): Promise<void> {
  const signedIn = await profile.read();
  if (!signedIn) {
    if (output.isJson) output.json({ profile: profile.name, signed_out: false });
    else output.line('Nobody is signed in.');
    return;
  }
  await profile.locked(async () => {
    // Another command may have renewed the tokens.
    const { base_url: baseUrl, client_id: clientId, tokens } = (await profile.read()) ?? signedIn;
    try {
      await new ParleyOAuth({ baseUrl, clientId, userAgent: USER_AGENT }).revoke(tokens.refresh_token);
    } catch (error) {
      output.note(`The tokens are still valid, and still in ${profile.file}.`);
      throw error;
    }
    await profile.remove();
  });
  if (output.isJson) output.json({ profile: profile.name, base_url: signedIn.base_url, signed_out: true });
  else output.line(`Signed out at ${signedIn.base_url}; the tokens are revoked.`);
}

/** What was signed in before ends, if the service can be reached. */
async function revokeQuietly({ base_url: baseUrl, client_id: clientId, tokens }: Profile): Promise<void> {
  const oauth = new ParleyOAuth({ baseUrl, clientId, maxRetries: 0, timeoutMs: 5000, userAgent: USER_AGENT });
  await oauth.revoke(tokens.refresh_token).catch(() => undefined);
}

function clientName(hostname: string): string {
  return `Parley command line on ${printable(hostname).slice(0, HOST_LENGTH_MAX)}`;
}

function isUnencrypted(baseUrl: string): boolean {
  if (!URL.canParse(baseUrl)) return false;
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

function isRefusal(error: unknown): error is ParleyError {
  return error instanceof ParleyError && error.code !== undefined && error.code in EXPLANATIONS;
}

const EXPLANATIONS: Readonly<Record<string, string>> = {
  access_denied: 'the sign-in was denied in the browser, or the company does not allow it',
  expired_token: 'the code was not entered in time',
  unauthorized_client: 'the service does not allow this way of signing in',
};

function explained(error: ParleyError): string {
  return EXPLANATIONS[error.code ?? ''] ?? error.message;
}
