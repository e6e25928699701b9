import { createHmac } from 'node:crypto';
import { z } from 'zod';

/** A STUN or TURN server for browsers. */
export const iceServerList = z.array(
  z
    .object({
      urls: z.array(z.string().regex(/^(stuns?|turns?):/)).min(1),
      username: z.string().optional(),
      credential: z.string().optional(),
      /** The secret that the TURN server shares with us (`static-auth-secret` of coturn): each phone gets a credential of its own. */
      secret: z.string().min(16).optional(),
    })
    .refine(({ secret, username, credential }) => secret === undefined || (username ?? credential) === undefined, {
      message: 'has either a secret or a username and a credential',
    }),
);

type IceServerSettings = z.output<typeof iceServerList>[number];

/** As in WebRTC's RTCIceServer. */
export interface IceServer {
  readonly urls: string[];
  readonly username?: string;
  readonly credential?: string;
}

/** The lifetime of a softphone session, then that of the longest call: a TURN server checks it again while a call lasts. */
const VALID_MS = 5 * 3_600_000;

/**
 * The servers as a phone gets them. Credentials of a TURN server with a secret are those of the TURN REST API, which coturn knows as
 * `use-auth-secret`: when they end, by the machine's clock, is in the name, and the password follows from the name.
 */
export function iceServersOf(servers: readonly IceServerSettings[], employeeId: string, machineNow: Date): IceServer[] {
  return servers.map(({ urls, username, credential, secret }) => {
    if (secret === undefined) return { urls, ...(username && { username }), ...(credential && { credential }) };
    const timed = `${Math.floor((machineNow.getTime() + VALID_MS) / 1000)}:${employeeId}`;
    return { urls, username: timed, credential: createHmac('sha1', secret).update(timed).digest('base64') };
  });
}
