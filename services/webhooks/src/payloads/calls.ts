import { callJson } from './call-json.ts';
import { definePayload, type Payload } from './payload.ts';

/** Every event of a call carries the call as it was then. */
export const callPayloads: readonly Payload[] = [
  definePayload({
    fact: 'call-control.call.initiated',
    event: 'call.initiated',
    data: ({ call }, sources) => callJson(call, sources),
  }),
  definePayload({
    fact: 'call-control.call.outside_business_hours',
    event: 'call.outside_business_hours',
    data: ({ call }, sources) => callJson(call, sources),
  }),
  definePayload({
    fact: 'call-control.call.queued',
    event: 'call.queued',
    data: ({ call }, sources) => callJson(call, sources),
  }),
  definePayload({
    fact: 'call-control.call.answered',
    event: 'call.answered',
    data: ({ call }, sources) => callJson(call, sources),
  }),
  definePayload({
    fact: 'call-control.call.ended',
    event: 'call.ended',
    data: ({ call }, sources) => callJson(call, sources),
  }),
  definePayload({
    fact: 'call-control.call.lost',
    event: 'call.lost',
    data: ({ call }, sources) => callJson(call, sources),
  }),
  definePayload({
    fact: 'call-control.call.transcription_done',
    event: 'call.transcription_done',
    data: ({ call }, sources) => callJson(call, sources),
  }),
];
