import { type Transfer, TransferState } from '@parley/proto/call_control/v1/transfers_pb';
import { z } from 'zod';
import { participantJson, participantSchema } from './call-json.ts';

const transferStates = ['ringing', 'consulting', 'completed', 'cancelled', 'failed'] as const;

/** A warm transfer as partners see it. */
export const transferSchema = z
  .object({
    id: z.string(),
    state: z.enum(transferStates),
    from_employee: participantSchema,
    to_employee: participantSchema,
  })
  .meta({ id: 'Transfer' });

export const transferResponse = z.object({ transfer: transferSchema });

const states: Record<TransferState, (typeof transferStates)[number]> = {
  [TransferState.UNSPECIFIED]: 'failed',
  [TransferState.RINGING]: 'ringing',
  [TransferState.CONSULTING]: 'consulting',
  [TransferState.COMPLETED]: 'completed',
  [TransferState.CANCELLED]: 'cancelled',
  [TransferState.FAILED]: 'failed',
};

export function transferJson({ id, state, fromEmployee, toEmployee }: Transfer): z.output<typeof transferSchema> {
  return {
    id,
    state: states[state],
    from_employee: participantJson(fromEmployee!),
    to_employee: participantJson(toEmployee!),
  };
}
