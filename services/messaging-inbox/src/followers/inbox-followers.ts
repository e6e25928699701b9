import type { BatchHandler, Event, EventHandler, EventHandlers, EventType } from '@parley/events';
import type { ErasedPeople } from '@parley/personal-data';
import type { Call } from '@parley/proto/call_control/v1/calls_pb';
import type { Voicemail } from '@parley/proto/call_control/v1/voicemails_pb';
import type { ItemFact } from '../projection/inbox-item.ts';
import { callFact, voicemailFact } from '../projection/item-facts.ts';
import type { ItemTexts } from '../projection/item-texts.ts';
import type { SpokenContent } from './spoken-content.ts';
import type { InboxProjection } from '../projection/projection-store.ts';
import type { LiveUpdates } from '../live/live-updates.ts';

/** The events that say everything about their call: of several, the last one is enough. */
const CALL_STATES = [
  'call-control.call.initiated',
  'call-control.call.outside_business_hours',
  'call-control.call.queued',
  'call-control.call.answered',
  'call-control.call.ended',
  'call-control.call.lost',
  'call-control.call.transcription_done',
  'call-control.call.updated',
] as const satisfies readonly EventType[];

type CallStateType = (typeof CALL_STATES)[number];

/** Keeps the inbox equal to calls and voicemails. Texts are this service's own: their commands bring them. */
export function inboxHandlers(deps: {
  readonly projection: InboxProjection;
  readonly erased: Pick<ErasedPeople, 'wasErased'>;
  readonly spoken: SpokenContent;
  readonly texts: ItemTexts;
  readonly live: LiveUpdates;
  /** Removes the threads with a number if nothing is left in them. */
  readonly removeThreads: (companyId: string, phone: string) => Promise<unknown>;
}): BatchHandler {
  const { projection, erased, spoken, texts, live, removeThreads } = deps;
  const announce = ({ companyId, direction }: ItemFact) => {
    if (direction === 'inbound') live.publish(companyId, { type: 'unseen_update' });
  };
  /** An event of before an erasure may be applied late, or again. */
  const isErased = ({ companyId, phone, createdAt }: ItemFact) =>
    erased.wasErased(companyId, [phone], new Date(createdAt / 1000));
  /** With its first event there is hardly ever an item already. */
  const applyItem = async (fact: ItemFact | undefined, isFirst: boolean) => {
    if (!fact || (await isErased(fact))) return;
    if (await projection.apply(fact, isFirst)) announce(fact);
  };
  const applyCall = async (
    { call, current = call }: { call?: Call; current?: Call },
    sequence: number,
    isFirst: boolean,
  ) => {
    const complete = current && (await spoken.completeCall(current));
    return applyItem(complete && callFact(complete.call, sequence, texts, complete.message), isFirst);
  };
  const onCall: EventHandler<CallStateType> = (message, { aggregateSequence: sequence }) =>
    applyCall(message, sequence, sequence === 1);
  const onVoicemail = async ({ voicemail }: { voicemail?: Voicemail }, { aggregateSequence }: Event) =>
    applyItem(
      voicemail && voicemailFact(await spoken.completeVoicemail(voicemail), aggregateSequence, texts),
      aggregateSequence === 1,
    );
  const removeItem = async (companyId: string, id: string) => {
    const removed = await projection.remove(companyId, id);
    if (removed) await removeThreads(companyId, removed.phone);
    live.publish(companyId, { type: 'unseen_update' });
  };
  const handlers: EventHandlers = {
    ...Object.fromEntries(CALL_STATES.map((type) => [type, onCall])),
    'call-control.voicemail.created': onVoicemail,
    'call-control.voicemail.transcription_done': onVoicemail,
    'call-control.voicemail.updated': onVoicemail,
    'call-control.call.deleted': ({ callId }, { companyId }) => removeItem(companyId, callId),
    'call-control.voicemail.deleted': async ({ voicemail }) => {
      if (voicemail) await removeItem(voicemail.companyId, voicemail.id);
    },
  };
  return {
    types: Object.keys(handlers) as EventType[],
    batchPer: 'aggregate',
    async handleBatch(events) {
      let isFirst = false;
      for (const [index, { type, message, event }] of events.entries()) {
        if (!isCallState(type)) {
          await (handlers[type] as EventHandler<EventType> | undefined)?.(message, event);
          continue;
        }
        isFirst ||= event.aggregateSequence === 1;
        const next = events[index + 1];
        if (next && isCallState(next.type)) continue;
        await applyCall(message as { call?: Call }, event.aggregateSequence, isFirst);
        isFirst = false;
      }
    },
  };
}

function isCallState(type: EventType): type is CallStateType {
  return CALL_STATES.some((one) => one === type);
}
