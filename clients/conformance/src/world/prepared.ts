import { SetUpFailure } from '../expectations/failure.ts';
import type { Reply } from '../http/reply.ts';

/** The body of an answer that a check prepares itself with; whatever else comes says nothing about its rule. */
export async function prepared(sent: Promise<Reply>, status: number): Promise<any> {
  const reply = await sent.catch((error: Error) => {
    throw new SetUpFailure(error.message);
  });
  if (reply.status !== status) throw new SetUpFailure(`${reply.request} was answered ${reply.status} ${reply.text}`);
  return reply.body;
}
