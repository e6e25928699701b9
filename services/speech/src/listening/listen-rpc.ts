import { invalid, Refused } from '@parley/errors';
import type { ListenRequest, SpeechService } from '@parley/proto/speech/v1/speech_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { samplesOf } from '@parley/audio';
import { TELEPHONE_RATE } from '../audio/speech-samples.ts';
import type { RequestQueue } from '../requests/request-queue.ts';
import type { Listener } from './listener.ts';
import type { ListenEvent, ListenMessage } from './listening-stream.ts';

/** A second. */
const AUDIO_BYTES_MAX = 2 * TELEPHONE_RATE;

type ListenHandler = Handler<typeof SpeechService.method.listen, ServicePrincipal>;

export const listenRpc = (listener: Listener, queue: RequestQueue): ListenHandler =>
  async function* (requests, rpc) {
    const received = requests[Symbol.asyncIterator]();
    const { value: first, done } = await received.next();
    if (done) return;
    const { request } = first;
    if (request.case !== 'start') throw new Refused(invalid({ start: ['must be the first message'] }));
    const { language, companyId } = request.value;
    if (!listener.knows(language)) throw new Refused(invalid({ language: ['is not recognised in calls'] }));
    const messages = messagesOf({ [Symbol.asyncIterator]: () => received });
    const events = queue.stream(rpc, { companyId }, (context, simulateFault) =>
      listener.listen(messages, language, context, simulateFault),
    );
    for await (const event of events) yield responseOf(event);
  };

async function* messagesOf(requests: AsyncIterable<ListenRequest>): AsyncGenerator<ListenMessage> {
  for await (const { request } of requests) yield messageOf(request);
}

function messageOf(request: ListenRequest['request']): ListenMessage {
  switch (request.case) {
    case 'audio': {
      const { length } = request.value;
      if (length % 2 !== 0) throw new Refused(invalid({ audio: ['is not whole samples of 16 bit'] }));
      if (length > AUDIO_BYTES_MAX) throw new Refused(invalid({ audio: ['is too long (maximum is one second)'] }));
      return { kind: 'audio', samples: samplesOf(request.value) };
    }
    case 'taken': {
      const { untilMs } = request.value;
      if (untilMs < 0) throw new Refused(invalid({ until_ms: ['must not be negative'] }));
      return { kind: 'taken', untilMs };
    }
    case 'start':
      throw new Refused(invalid({ start: ['must be the first message only'] }));
    default:
      throw new Refused(invalid({ request: ['is missing'] }));
  }
}

type Response = ReturnType<ListenHandler> extends AsyncIterable<infer Sent> ? Sent : never;

function responseOf(event: ListenEvent): Response {
  switch (event.kind) {
    case 'ready':
      return { response: { case: 'ready', value: {} } };
    case 'began':
      return { response: { case: 'began', value: { atMs: event.atMs } } };
    case 'paused':
      return { response: { case: 'paused', value: { atMs: event.atMs } } };
    case 'recognized': {
      const { startMs, endMs, text, confidence } = event;
      const value = { startMs: Math.round(startMs), endMs: Math.round(endMs), text, confidence };
      return { response: { case: 'recognized', value } };
    }
  }
}
