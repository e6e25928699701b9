import { oneOf, someText } from '../../expectations/shapes.ts';
import { type Agent, activeCallIs, type Conversation, inConversation, keptAgent } from '../../world/conversations.ts';
import type { Context } from '../../world/context.ts';

export const TRANSFER = {
  id: someText,
  state: oneOf('ringing', 'consulting', 'completed', 'cancelled', 'failed'),
};

/** A conversation, and a coworker to whom it can be transferred. */
export interface Transferable extends Conversation {
  readonly target: Agent;
  /** Of the transfers of this call. */
  readonly path: string;
}

export async function beforeTransfer(context: Context, use: (talk: Transferable) => Promise<void>): Promise<void> {
  await inConversation(context, async (conversation) => {
    const target = await keptAgent(context, conversation.company, 'target');
    await use({ ...conversation, target, path: `/calls/${conversation.callId}/transfers` });
  });
}

/** A transfer that rings at the target. */
export async function duringTransfer(
  context: Context,
  use: (talk: Transferable & { readonly transferId: string; readonly one: string }) => Promise<void>,
): Promise<void> {
  await beforeTransfer(context, async (talk) => {
    const { agent, target, path } = talk;
    const { transfer } = await agent.employee.post(path, { employee_id: target.employee.id }).gives(201);
    await target.phone.rings();
    await use({ ...talk, transferId: transfer.id, one: `${path}/${transfer.id}` });
  });
}

/** Has the target answer, and waits until both talk with each other. */
export async function consult({ target, agent }: Transferable): Promise<void> {
  await target.phone.answers();
  await activeCallIs(agent.employee, { transfer: { state: 'consulting' } });
}
