import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { addressKey } from '@parley/http';
import { SessionStage, type VerifySessionResponse } from '@parley/proto/identity/v1/credentials_pb';
import type { EmployeePrincipal } from '@parley/rpc';
import { employeePrincipal } from '../credentials/verify-with-identity.ts';
import type { AddressOf } from '../client-address/client-address.ts';
import type { FailureLimit } from '../client-address/failure-limit.ts';
import type { Clients } from '../peers/peers.ts';
import type { BaseUrl } from '../well-known/base-url.ts';
import { readCookie } from './cookies.ts';
import { type Language, preferredLanguage } from './words.ts';

/** What the document of the dashboard says about its surroundings. */
export interface DashboardSettings {
  /** The sandbox's address for browsers. */
  readonly sandboxUrl?: string | undefined;
  /** The SIP server for softphones. */
  readonly sipWebsocketUrl?: string | undefined;
  /** The names of the scripts that a section begins with. */
  readonly scriptsOf: (section: string) => readonly string[];
}

/** The user of a browser, signed in or not. */
export interface Visitor {
  readonly dashboard: DashboardSettings;
  readonly baseUrl: string;
  /** We are reached over TLS. */
  readonly secure: boolean;
  /** The network for IPv6; see `addressKey`. */
  readonly address: string;
  readonly userAgent: string;
  /** The language of the pages that run no script; the dashboard chooses its own. */
  readonly language: Language;
  /** Values of the cookies; empty where there is none. */
  readonly session: string;
  readonly device: string;
  /** Forms are bound to this secret; it is new when the browser sent none. */
  readonly form: { readonly secret: string; readonly isNew: boolean };
  readonly stage: SessionStage;
  readonly name: string;
  /** The address to sign in with. */
  readonly email: string;
  /** The new address, while it has yet to be confirmed; empty otherwise. */
  readonly unconfirmedEmail: string;
  /** Directory's number of that change. */
  readonly emailChange: bigint;
  /** Present only when the sign-in is complete. */
  readonly employee: EmployeePrincipal | undefined;
}

export interface VisitorOptions {
  readonly baseUrl: BaseUrl;
  readonly addressOf: AddressOf;
  readonly failureLimit: FailureLimit;
  readonly dashboard: DashboardSettings;
}

/** Reads the visitor of a request. An unknown session is treated as none. */
export function readVisitor({ credentials }: Pick<Clients, 'credentials'>, options: VisitorOptions) {
  return async (request: IncomingMessage): Promise<Visitor> => {
    const baseUrl = options.baseUrl(request);
    const secure = baseUrl.startsWith('https:');
    const session = readCookie(request, 'session', secure);
    const known: Partial<VerifySessionResponse> = session === '' ? {} : await credentials.verifySession({ session });
    const isKnown = known.stage !== undefined && known.stage !== SessionStage.UNSPECIFIED;
    if (isKnown) options.failureLimit.recognised(request);
    else if (session !== '') options.failureLimit.unrecognised(request);
    const formSecret = readCookie(request, 'form', secure);
    return {
      dashboard: options.dashboard,
      baseUrl,
      secure,
      address: addressKey(options.addressOf(request)),
      userAgent: request.headers['user-agent'] ?? '',
      language: preferredLanguage(request.headers['accept-language']),
      session: isKnown ? session : '',
      device: readCookie(request, 'device', secure),
      form: { secret: formSecret || randomBytes(32).toString('base64url'), isNew: formSecret === '' },
      stage: known.stage ?? SessionStage.UNSPECIFIED,
      name: known.name ?? '',
      email: known.email ?? '',
      unconfirmedEmail: known.unconfirmedEmail ?? '',
      emailChange: known.emailChange ?? 0n,
      employee: employeePrincipal(known.principal),
    };
  };
}

/** The visitor as identity's message. */
export function visitorToProto({ address, userAgent, device, session }: Visitor) {
  return { address, userAgent, device, session };
}
