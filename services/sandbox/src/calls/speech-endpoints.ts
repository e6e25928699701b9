import { writeWav } from '@parley/audio';
import { invalid, notFound, Refused } from '@parley/errors';
import { content, type Endpoint, endpoint, HttpError, json, validate } from '@parley/http';
import { SAMPLE_RATE } from '@parley/sip';
import { z } from 'zod';
import { readWav } from '../audio/wav.ts';
import type { TelephoneNetwork } from '../telephony/telephone-network.ts';
import type { Speech } from '../telephony/say.ts';
import type { Voice } from '../telephony/voice.ts';
import { legJson, legView } from './leg-json.ts';
import { conflict, findLeg, withMedia } from './leg-requests.ts';

const SAY_LIMIT_MS = 180_000;
const WAV_BYTES_MAX = 8 * 1024 * 1024;
const AUDIO_MAX_MS = 10 * 60_000;
const WAV_TYPE = /^audio\/(?:x-|vnd\.)?wave?\s*(?:;|$)/i;
const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

const words = z.object({
  text: z.string().trim().min(1).max(3000),
  language: z.string().min(2).max(10).default('en'),
  wait: z.boolean().default(true),
});

const wait = z.enum(['true', 'false']).default('true');

/** What is to be said, and whether the response waits for it. */
interface SayRequest {
  readonly speech: Speech;
  readonly wait: boolean;
}

export interface SpeechEndpointOptions {
  readonly network: TelephoneNetwork;
  readonly voice: Voice;
}

export function speechEndpoints({ network, voice }: SpeechEndpointOptions): Endpoint<undefined>[] {
  const say = endpoint('none')({
    route: 'POST /legs/:leg_id/say',
    tag: 'Calls',
    summary: 'Speak',
    description:
      'Plays synthesised speech on the leg, or the recording that is sent as `audio/wav` (16-bit PCM), one after the other; both are recorded. ' +
      'Responds when it has been played; with `wait` false (of a recording in the query) at once.',
    query: z.object({ wait }),
    body: 'bytes',
    bodyBytesMax: WAV_BYTES_MAX,
    documents: { body: words },
    responses: { 200: legJson, 202: legJson },
    errors: { 404: '', 409: '`leg_ended`, `leg_not_connected`', 502: 'the speech service failed' },
    timeLimitMs: SAY_LIMIT_MS,
    async handle({ params, query, body, request, signal }) {
      const leg = findLeg(network, params.leg_id);
      const type = request.headers['content-type'] ?? '';
      const asked = WAV_TYPE.test(type) ? readRecording(body, query.wait === 'true') : readWords(readJson(body, type));
      if (!leg.ended) await withMedia(leg, () => network.hasMedia(leg), signal);
      const said = network.say(leg, asked.speech);
      if (!asked.wait) {
        // What fails now concerns nobody any more.
        said.catch(() => undefined);
        return json(202, legView(leg));
      }
      if (!(await said)) throw conflict('leg_ended');
      return json(200, legView(leg));
    },
  });

  const audio = endpoint('none')({
    route: 'GET /legs/:leg_id/audio',
    tag: 'Calls',
    summary: 'Get what a leg said and heard',
    description:
      'A WAV file of 8 kHz from the answer on, at most 10 minutes: on the left what was said, on the right what was heard.',
    responses: { 200: 'audio/wav' },
    errors: { 404: 'also when the audio has made room for that of later legs' },
    async handle({ params }) {
      const leg = findLeg(network, params.leg_id);
      if (leg.audio.isForgotten) throw new Refused(notFound);
      const lengthMs = Math.min(leg.audio.positionMs, AUDIO_MAX_MS);
      const tracks = [await leg.audio.samples('said', 0, lengthMs), await leg.audio.samples('heard', 0, lengthMs)];
      return content(200, 'audio/wav', writeWav(tracks, SAMPLE_RATE));
    },
  });

  function readWords(body: unknown): SayRequest {
    const checked = validate(words, body);
    if ('fields' in checked) throw new Refused(invalid(checked.fields));
    const { text, language, wait } = checked.value;
    return { speech: { text, makeSound: () => voice.speak(text, language) }, wait };
  }

  return [say, audio];
}

function readRecording(body: Buffer, wait: boolean): SayRequest {
  const sound = readWav(body);
  if (!sound || sound.samples.length === 0) throw new Refused(invalid({ body: ['is no WAV file of 16-bit PCM'] }));
  return { speech: { text: null, makeSound: () => Promise.resolve(sound) }, wait };
}

/** The body comes as it is, because a recording has the same address. */
function readJson(body: Buffer, type: string): unknown {
  if (body.length === 0) return {};
  if (!JSON_TYPE.test(type))
    throw new HttpError(415, { error: 'unsupported_media_type', code: 'unsupported_media_type' });
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new HttpError(400, { error: 'invalid_json', code: 'invalid_json' });
  }
}
