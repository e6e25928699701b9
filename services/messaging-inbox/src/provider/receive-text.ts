import { Refused } from '@parley/errors';
import { newId } from '@parley/secrets';
import { autoReplyText } from '../auto-replies/auto-reply.ts';
import { receiveMessage } from '../messages/inbound-message.ts';
import { type CreateMessage, encodingOf, textContext } from '../messages/message.ts';
import { alreadyReceived, type Messages } from '../messages/message-store.ts';
import type { TextingNumber } from '../numbers/numbers-client.ts';
import type { KeywordAnswers } from '../auto-replies/answer-keyword.ts';
import { keywordOf } from '../opt-outs/keyword.ts';
import type { ServiceContext } from '../service-context.ts';
import { pictureMessageText } from './picture-message.ts';
import type { IncomingText } from './provider.ts';

export interface ReceiveDeps extends Pick<ServiceContext, 'clock' | 'encryptor' | 'erased' | 'tick'> {
  readonly messages: Messages;
  readonly keywords: KeywordAnswers;
  readonly createMessage: CreateMessage;
}

/** Letters in place of a number cannot be answered. */
const E164 = /^\+[1-9]\d{4,14}$/;

/** Stores an incoming text; one that was stored before changes nothing. */
export async function receiveText(
  { erased, keywords, encryptor, createMessage, tick }: ReceiveDeps,
  number: TextingNumber,
  incoming: IncomingText,
): Promise<void> {
  const { from, receivedAt } = incoming;
  // The provider repeats a text that was stored and erased since.
  if (receivedAt && (await erased.wasErased(number.companyId, [from], receivedAt))) return;
  const text = incoming.picture ? pictureMessageText(incoming.text, number.language) : incoming.text;
  const id = newId('msg');
  const answerable = E164.test(from);
  const keyword = answerable ? keywordOf(incoming.text) : undefined;
  // The company's permission to send is checked again when the reply is sent.
  const mayReply = answerable && autoReplyText(number, true) !== null;
  const decision = receiveMessage(
    {
      id,
      companyId: number.companyId,
      businessNumberId: number.id,
      businessNumberName: number.name,
      from,
      to: number.number,
      externalNumber: from,
      encryptedText: encryptor.encrypt(text, textContext(id)),
      createdAtMicros: tick(),
      smsCount: incoming.smsCount,
      encoding: incoming.encoding ?? encodingOf(text),
      providerMessageId: incoming.providerMessageId,
      receivedAt: incoming.receivedAt,
    },
    keyword ? { kind: 'answer_keyword', keyword } : mayReply ? { kind: 'auto_reply' } : null,
  );
  try {
    const { message, shown } = await createMessage(decision);
    await shown;
    // Before the response to the provider: from then on nothing may be sent after an opt-out.
    if (keyword) await keywords.store(message, keyword);
  } catch (error) {
    if (!(error instanceof Refused && error.refusal === alreadyReceived)) throw error;
  }
}
