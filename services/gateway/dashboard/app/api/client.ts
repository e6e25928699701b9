import createClient from 'openapi-fetch';
import { ApiError } from './api-error.ts';
import type { paths as AccountPaths } from './account-schema.d.ts';
import type { paths } from './schema.d.ts';
import { sessionRequests } from './session-requests.ts';

const { send, sendRenewing } = sessionRequests(reach);

/** The public API, typed by its OpenAPI document; the session's cookie is the credential. */
export const api = createClient<paths>({ baseUrl: '', fetch: send });

/** One's own account: what only a session in a browser may do. */
export const account = createClient<AccountPaths>({
  baseUrl: '',
  fetch: (request) => (request.method === 'GET' ? send(request) : sendRenewing(request)),
});

/** The parameter of most paths. */
export const at = (id: string) => ({ params: { path: { id } } });

/** The data of a successful response; anything else is thrown as an `ApiError`. */
export async function ok<Data>(
  pending: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<NonNullable<Data>> {
  const { data, error, response } = await pending;
  if (response.ok) return data as NonNullable<Data>;
  if (response.status === 401) signInAgain();
  throw new ApiError(response.status, isRecord(error) ? error : {});
}

async function reach(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw new ApiError(0, {}, { cause: error });
  }
}

let signsInAgain = false;

/** True while this page is being left for the sign-in, which returns to it. */
export const isSigningInAgain = (): boolean => signsInAgain;

/** The session has ended: after the sign-in the same page is shown again. */
function signInAgain(): void {
  signsInAgain = true;
  const returnTo = location.pathname + location.search;
  location.assign(`/signin?${new URLSearchParams({ return_to: returnTo })}`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
