import type { EgressPolicy } from '@parley/egress';
import { commaList, egressSettings, httpOrigin, httpUrl, statefulServiceSettings } from '@parley/service';
import { availableParallelism } from 'node:os';
import { z } from 'zod';

/** `first-last`. */
const portRange = z
  .string()
  .regex(/^\d{1,5}-\d{1,5}$/)
  .transform((text) => {
    const [first = 0, last = 0] = text.split('-').map(Number);
    return { first, last };
  })
  .refine(({ first, last }) => first > 0 && first < last && last < 65_536, 'must be a range of ports');

export const config = z
  .object({
    ...statefulServiceSettings,
    /** The operator's language model, for companies without their own: the base up to the version, the model and its key. */
    ASSISTANT_URL: httpUrl.optional(),
    ASSISTANT_MODEL: z.string().min(1).optional(),
    ASSISTANT_API_KEY: z.string().min(1).optional(),
    /** Origins of language models that may be plain http or private. */
    ASSISTANT_ALLOWED_ORIGINS: commaList.pipe(z.array(httpOrigin)).default([]),
    DENIED_NETWORKS: egressSettings.DENIED_NETWORKS,
    /** Where switches reach this process over SIP; port 0: any that is free. */
    ASSISTANT_SIP_LISTEN: z
      .string()
      .regex(/^.+:\d+$/)
      .default('127.0.0.1:0'),
    /** The address at which switches reach this process, for SIP and audio. */
    ASSISTANT_MEDIA_ADDRESS: z.string().min(1).default('127.0.0.1'),
    /** UDP ports for audio: one of two, the even ones, for each session. */
    ASSISTANT_RTP_PORTS: portRange.prefault('20000-20999'),
    /** Addresses and networks of switches; nobody else may call. */
    ASSISTANT_SWITCH_NETWORKS: commaList.prefault('127.0.0.1'),
    /** Sessions that this process holds at once. */
    ASSISTANT_SESSIONS_MAX: z.coerce
      .number()
      .int()
      .min(1)
      .max(1000)
      .default(5 * availableParallelism()),
    /** Responses of other services are cached for this time, unless an event says that they are outdated. */
    PEER_CACHE_MS: z.coerce.number().int().min(0).max(60_000).default(2000),
    DIRECTORY_ADDRESS: z.string(),
    NUMBERS_ROUTING_ADDRESS: z.string(),
    CALL_CONTROL_ADDRESS: z.string(),
    MESSAGING_INBOX_ADDRESS: z.string(),
    SPEECH_ADDRESS: z.string(),
  })
  .refine((given) => (given.ASSISTANT_URL === undefined) === (given.ASSISTANT_MODEL === undefined), {
    path: ['ASSISTANT_URL'],
    message: 'ASSISTANT_URL and ASSISTANT_MODEL must be set together',
  });

export type Config = z.output<typeof config>;

/** Of companies' language models. */
export function egressPolicyFrom({ ASSISTANT_ALLOWED_ORIGINS, DENIED_NETWORKS }: Config): EgressPolicy {
  return { allowedOrigins: ASSISTANT_ALLOWED_ORIGINS, deniedNetworks: DENIED_NETWORKS };
}
