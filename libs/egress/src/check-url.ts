import { type EgressPolicy, readTarget, type UrlProblem, publicAddresses } from './target.ts';
import { nameServerResolver, type ResolveHost } from './guarded-connect.ts';

/** The verdict on an address at the moment it is saved. */
export type UrlCheck = { readonly ok: true } | { readonly ok: false; readonly problem: UrlProblem };

/** A name server that takes longer is treated like an unknown name: saving must not hang. */
const RESOLVE_MS_MAX = 2_000;

/**
 * Checks whether an address may be saved as one to send to. A host that does not resolve yet may be; one of whose addresses is not
 * public may not. This gives early feedback when saving: the same rules are enforced for every connection. Never throws, whatever
 * `url` is.
 */
export async function checkUrl(
  url: unknown,
  policy: EgressPolicy,
  resolve: ResolveHost = nameServerResolver(),
): Promise<UrlCheck> {
  const isPublic = publicAddresses(policy.deniedNetworks);
  const target = readTarget(url, policy, isPublic);
  if (!target.ok) return target;
  if (target.allowed || target.literal) return { ok: true };
  const addresses = await withinLimit(resolve(target.url.hostname));
  return addresses.every(isPublic) ? { ok: true } : { ok: false, problem: 'not_public' };
}

async function withinLimit(resolving: Promise<readonly string[]>): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<readonly string[]>((done) => {
    timer = setTimeout(done, RESOLVE_MS_MAX, []);
  });
  try {
    return await Promise.race([resolving.catch(() => []), limit]);
  } finally {
    clearTimeout(timer);
  }
}
