import { type Transfer, TransferMode, TransferState } from '@parley/proto/call_control/v1/transfers_pb';
import { z } from 'zod';
import { enumJson } from './value-json.ts';
import { participantJson, participantSchema } from './call-json.ts';

const transferStates = ['ringing', 'consulting', 'completed', 'cancelled', 'failed'] as const;

/** A transfer as partners see it. */
export const transferSchema = z
  .object({
    id: z.string(),
    state: z.enum(transferStates),
    from_employee: participantSchema.nullable().describe('Null for an assistant'),
    from_assistant: participantSchema.optional().describe('The assistant that transfers the call'),
    to_employee: participantSchema
      .nullable()
      .describe('Null for a phone outside, and while an assistant rings several'),
    to_phone_number: z.string().optional().describe('E.164 of a target outside the company'),
    mode: z.literal('blind').optional().describe('Of a blind transfer'),
  })
  .meta({ id: 'Transfer' });

export const transferResponse = z.object({ transfer: transferSchema });

const stateJson = enumJson(TransferState, transferStates, 'failed');

export function transferJson(transfer: Transfer): z.output<typeof transferSchema> {
  const { id, state, fromEmployee, fromAssistant, toEmployee, toPhoneNumber, mode } = transfer;
  return {
    id,
    state: stateJson(state),
    from_employee: fromEmployee ? participantJson(fromEmployee) : null,
    ...(fromAssistant && { from_assistant: { id: fromAssistant.id, name: fromAssistant.name } }),
    to_employee: toEmployee ? participantJson(toEmployee) : null,
    ...(toPhoneNumber !== undefined && { to_phone_number: toPhoneNumber }),
    ...(mode === TransferMode.BLIND && { mode: 'blind' }),
  };
}
