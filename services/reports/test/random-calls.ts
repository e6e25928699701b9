import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { CallDirection, type CallSchema, CallState } from '@parley/proto/call_control/v1/calls_pb';
import type { PublishEvent } from '@parley/testkit/service';

/** A call as it was at its end. */
export interface FinishedCall {
  readonly id: string;
  readonly companyId: string;
  readonly number: string;
  readonly isInbound: boolean;
  readonly startedMs: number;
  readonly answeredMs: number | null;
  readonly endedMs: number;
  readonly employees: readonly string[];
  readonly hasVoicemail: boolean;
  readonly isAbandoned: boolean;
  /** Null in a call without an assistant. */
  readonly assistantOutcome: string | null;
  /** The other side's number, where it matters. */
  readonly phone?: string;
}

/** The same numbers for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 12)) >>> 0) / 2 ** 32;
  };
}

export function randomCall(
  random: () => number,
  id: string,
  among: {
    readonly companyId: string;
    readonly numbers: readonly string[];
    readonly employees: readonly string[];
    /** Hours in which calls start. */
    readonly hours: readonly number[];
  },
): FinishedCall {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const startedMs = pick(among.hours) + Math.floor(random() * 3_600_000);
  const isInbound = random() < 0.7;
  const isAnswered = random() < 0.7;
  const waitMs = Math.floor(random() ** 2 * 90_000);
  const answeredMs = isAnswered ? startedMs + waitMs : null;
  const endedMs = startedMs + waitMs + Math.floor(random() * 600_000);
  const joined = isAnswered ? [pick(among.employees), ...(random() < 0.15 ? [pick(among.employees)] : [])] : [];
  const isLeft = isInbound && !isAnswered && random() < 0.3;
  const isAssisted = isInbound && !isAnswered && !isLeft && random() < 0.4;
  return {
    id,
    companyId: among.companyId,
    number: pick(among.numbers),
    isInbound,
    startedMs,
    answeredMs,
    endedMs,
    employees: isInbound ? joined : [pick(among.employees)],
    hasVoicemail: isLeft,
    isAbandoned: isInbound && !isAnswered && !isLeft && !isAssisted && random() < 0.5,
    assistantOutcome: isAssisted ? pick(['resolved', 'message_taken', 'abandoned']) : null,
  };
}

function message(call: FinishedCall, upToMs: number): MessageInitShape<typeof CallSchema> {
  const hasEnded = upToMs >= call.endedMs;
  const isAnswered = call.answeredMs !== null && upToMs >= call.answeredMs;
  return {
    id: call.id,
    companyId: call.companyId,
    direction: call.isInbound ? CallDirection.INBOUND : CallDirection.OUTBOUND,
    state: hasEnded ? CallState.ENDED : CallState.INITIATED,
    mainNumberId: call.number,
    ...(call.phone !== undefined && { [call.isInbound ? 'from' : 'to']: call.phone }),
    startedAt: timestampFromMs(call.startedMs),
    ...(isAnswered && { answeredAt: timestampFromMs(call.answeredMs ?? 0) }),
    ...(hasEnded && { endedAt: timestampFromMs(call.endedMs) }),
    ...(hasEnded && isAnswered && { durationSecs: talkSecs(call) }),
    employees: (isAnswered || !call.isInbound ? call.employees : []).map((id) => ({ id, name: 'Ada' })),
    missed: hasEnded && isMissed(call),
    abandoned: hasEnded && call.isAbandoned,
    ...(call.assistantOutcome !== null && {
      assistant: { id: 'ast_1', sessionId: `ses_${call.id}`, ...(hasEnded && { outcome: call.assistantOutcome }) },
    }),
  };
}

/** An assistant that left nothing open did what an answer would have done. */
export function isMissed({ isInbound, answeredMs, assistantOutcome }: FinishedCall): boolean {
  return isInbound && answeredMs === null && (assistantOutcome === null || assistantOutcome === 'abandoned');
}

export const endedMessage = (call: FinishedCall): MessageInitShape<typeof CallSchema> => ({
  ...message(call, call.endedMs),
  ...(call.hasVoicemail && { voicemailId: `vm_${call.id}` }),
});

export function talkSecs({ answeredMs, endedMs }: FinishedCall): number {
  return answeredMs === null ? 0 : Math.floor((endedMs - answeredMs) / 1000);
}

/** Publishes what call-control would. */
export async function publishCall(publish: PublishEvent, call: FinishedCall): Promise<void> {
  const about = { companyId: call.companyId, aggregateId: call.id };
  await publish('call-control.call.initiated', { call: message(call, call.startedMs - 1) }, about);
  if (call.answeredMs !== null)
    await publish('call-control.call.answered', { call: message(call, call.answeredMs) }, about);
  await publish('call-control.call.ended', { call: message(call, call.endedMs) }, about);
  if (!call.hasVoicemail) return;
  const voicemailId = `vm_${call.id}`;
  const voicemail = { id: voicemailId, companyId: call.companyId, callId: call.id };
  await publish(
    'call-control.voicemail.created',
    { voicemail, call: message(call, call.endedMs) },
    { companyId: call.companyId, aggregateId: voicemailId },
  );
}
