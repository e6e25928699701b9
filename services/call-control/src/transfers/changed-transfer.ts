import { notFound, Refused } from '@parley/errors';
import type { CallInput } from '../calls/model/call-input.ts';
import type { CallKey, CallRunner } from '../call-runtime/call-runner.ts';
import { transferToProto } from './transfer-proto.ts';

/** Completes or cancels a transfer of a call, and returns it. */
export async function changedTransfer(
  runner: CallRunner,
  key: CallKey,
  input: Extract<CallInput, { type: 'complete_transfer' | 'cancel_transfer' }>,
) {
  const call = await runner.apply(key, input);
  const transfer = call?.transfers.find(({ id }) => id === input.transferId);
  if (!transfer) throw new Refused(notFound);
  return { transfer: transferToProto(transfer) };
}
