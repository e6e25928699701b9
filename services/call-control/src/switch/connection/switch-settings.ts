import { z } from 'zod';
import { isDialTarget, isTrunkAddress } from './command-arguments.ts';
import { readSwitchAddress } from '@parley/event-socket';

/** JSON in a setting. */
export const jsonSetting = <Output>(schema: z.ZodType<Output>) =>
  z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue('is not JSON');
        return z.NEVER;
      }
    })
    .pipe(schema);

/** The switches that calls run on. */
export const switchList = z.array(
  z
    .object({
      name: z.string().regex(/^[a-z0-9-]{1,40}$/),
      url: z.string(),
      /** The password with which the switch authenticates to call-control over HTTP. */
      secret: z.string().min(16),
      /** The folder of the switch's recordings. */
      recordings_dir: z
        .string()
        .regex(/^\/[\w./-]*$/)
        .default('/var/lib/freeswitch/recordings'),
      /** Where it takes calls of the other switches (`SWITCHES_PORT`); absent: its phones are rung for its own calls only. */
      trunk: z.string().refine(isTrunkAddress, 'must be host:port').optional(),
      /** It takes no new calls. */
      draining: z.boolean().default(false),
    })
    .transform(({ url, secret: httpSecret, recordings_dir: recordingsDir, ...settings }, context) => {
      const address = readSwitchAddress(url);
      if (address) return { ...settings, address, httpSecret, recordingsDir };
      context.addIssue('url must look like esl://user:password@host:port');
      return z.NEVER;
    }),
);

export type SwitchSettings = z.output<typeof switchList>[number];

/** In order of preference. */
export const carrierList = z.array(
  z.object({
    name: z.string(),
    dial: z
      .string()
      .refine(
        (dial) => /\/\{number\}(@|$)/.test(dial) && isDialTarget(dial.replace('{number}', '+4520304050')),
        'must look like sofia/external/{number}@host or sofia/gateway/name/{number}',
      ),
    /** The header in which the carrier takes the address of somebody who calls an emergency number. */
    emergency_address_header: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9-]{0,60}$/, 'must be the name of a SIP header')
      .optional(),
  }),
);
