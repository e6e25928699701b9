import type { EgressPolicy } from '@parley/egress';
import { commaList, egressSettings, httpOrigin, httpUrl, statefulServiceSettings } from '@parley/service';
import { z } from 'zod';

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
