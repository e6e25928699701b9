import assert from 'node:assert/strict';
import { create } from '@bufbuild/protobuf';
import type { Event } from '@parley/events';
import { CallSchema } from '@parley/proto/call_control/v1/calls_pb';
import { describedEvents } from '@parley/public-json';
import { payloads, type PayloadSources, webhookBody } from '../../src/payloads/payloads.ts';

const sources: PayloadSources = {
  messageText: async (companyId: string, id: string) => `the text of ${companyId}/${id}`,
  sessionContent: async () => undefined,
  voicemailText: async (companyId, id) => `said in ${companyId}/${id}`,
  callContent: async (companyId: string, id: string) =>
    create(CallSchema, {
      id,
      companyId,
      summary: 'About a delivery.',
      transcription: 'Hello',
      transcriptionSegments: [
        { speaker: 'Eva', text: 'Hello', employeeId: 'emp_1', startMs: 0, endMs: 900 },
        { speaker: '+4512345678', text: 'Hi', startMs: 900, endMs: 1400 },
      ],
      recordingUrl: `https://phone.example/media/recordings/${id}-1?sig=x`,
    }),
};

/** The webhook events that follow from an event, each with its `data`, which is as the documents describe it. */
export function dataOf(fact: string, bytes: Uint8Array, from: PayloadSources = sources, audit?: Event['audit']) {
  const happened: Event = {
    id: 'evt_1',
    type: fact,
    companyId: 'com_1',
    aggregateId: 'x',
    aggregateSequence: 1,
    occurredAt: new Date('2026-03-01T12:00:00Z'),
    traceparent: undefined,
    data: bytes,
    audit,
  };
  const ofFact = payloads.filter(({ fact: type, isOf }) => type === fact && (isOf?.(happened) ?? true));
  return Promise.all(
    ofFact.map(async ({ event, data }) => {
      const made = await data(happened, from);
      if (made) assertDescribed(event, webhookBody(event, happened.occurredAt, made));
      return [event, made];
    }),
  );
}

/** Parsing drops fields that the schema does not have. */
function assertDescribed(event: string, text: string): void {
  const body: unknown = JSON.parse(text);
  assert.deepEqual(describedEvents.find(({ type }) => type === event)?.schema.parse(body), body);
}
