import type { JsonObject } from '@bufbuild/protobuf';
import { z } from 'zod';

const text = z.string().min(1).max(10_000);
const employeeIds = z.array(z.string()).min(1);
const digit = z.string().regex(/^[1-9]$/);

const menuOption = z.discriminatedUnion('action_type', [
  z.object({ digit, action_type: z.literal('TransferConfig'), employee_ids: employeeIds }),
  z.object({ digit, action_type: z.literal('WelcomeTransferConfig'), prompt: text, employee_ids: employeeIds }),
  z.object({ digit, action_type: z.literal('VoicemailConfig'), prompt: text }),
  z.object({ digit, action_type: z.literal('PlayMessageConfig'), prompt: text }),
]);

const types = [
  z.object({ type: z.literal('WelcomeTransferConfig'), welcome: text, employee_ids: employeeIds }),
  z.object({ type: z.literal('TransferConfig'), employee_ids: employeeIds }),
  z.object({ type: z.literal('RejectConfig'), message: text }),
  z.object({ type: z.literal('VoicemailConfig'), greeting: text }),
  z.object({ type: z.literal('PhoneMenuConfig'), welcome: text, menu_options: z.array(menuOption).min(1).max(9) }),
] as const;

const cleared = z.object({ type: z.null().describe('Clears the slot') });

const businessHours = z
  .array(
    z.object({
      day_of_week: z.int().min(0).max(6).describe('0 is Monday'),
      open: z.boolean().optional(),
      opening_at: z.string().optional().describe('HH:MM'),
      closing_at: z.string().optional().describe('HH:MM; 24:00 is the end of the day'),
    }),
  )
  .min(1)
  .max(7)
  .describe('Merged by day; what an entry leaves out stays as it is');

const timeoutSecs = z
  .union([z.literal([0, 15, 30, 60, 300, 600, 1200, 1800, 2700, 3600]), z.literal(''), z.null()])
  .describe('0, null and blank turn the timer off; left out, it stays as it is');

const callFlow = z.union(types);

/**
 * What a client may send. It is described here and checked by the service that owns the rules: a config is refused
 * whole, and one answer names every wrong field, of the wrong type or of another company alike.
 */
export const incomingCallConfigBody = described(callFlow);

export const outsideBusinessHoursConfigBody = described(
  z.union([cleared, ...types]).and(z.object({ business_hours: businessHours.optional() })),
);

export const noAnswerConfigBody = described(
  z.union([cleared, ...types]).and(z.object({ timeout_secs: timeoutSecs.optional() })),
);

export const routeProposalBody = described(
  z.object({
    at: z.iso.datetime({ offset: true }).optional(),
    incoming_call_config: callFlow.optional(),
    outside_business_hours_config: callFlow.nullable().optional(),
    no_answer_config: callFlow.nullable().optional(),
    no_answer_timeout_secs: timeoutSecs.optional(),
    business_hours: businessHours.optional(),
    timezone: z.string().optional(),
  }),
);

/** Any JSON object, shown to readers as what it should be. */
function described(schema: z.ZodType): z.ZodType<JsonObject> {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' });
  // What arrives here was parsed from JSON; zod need not walk through it again.
  return z.record(z.string(), z.unknown()).meta(json as Record<string, unknown>) as unknown as z.ZodType<JsonObject>;
}
